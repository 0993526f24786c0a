// Also runs in the browser.
import { shownAmount } from './amounts.ts';

/** An option of `GET /checkout/{hash}`. */
export interface InstallmentChoice {
  readonly installments: number;
  readonly total_amount: number;
  readonly interest_amount: number;
  readonly first_amount: number;
  readonly installment_amount: number;
}

/** Texts with the places `{count}`, `{each}`, `{first}` and `{total}`. */
export interface InstallmentTexts {
  readonly locale: string;
  /** Beside the name of the method. On a narrow screen it moves to the next line as a whole. */
  readonly most: string;
  readonly once: string;
  readonly withoutInterest: string;
  readonly withInterest: string;
  /** Follows a line. */
  readonly inTotal: string;
  readonly total: string;
  readonly first: string;
}

/** One line for an option: what is charged how often, and whether there is interest. */
function installmentLine(choice: InstallmentChoice, texts: InstallmentTexts): string {
  if (choice.installments === 1) return filled(texts.once, choice, texts);
  return filled(choice.interest_amount > 0 ? texts.withInterest : texts.withoutInterest, choice, texts);
}

/** The line of an option in the list, with what all installments are together. */
export function installmentOptionText(choice: InstallmentChoice, texts: InstallmentTexts): string {
  const line = installmentLine(choice, texts);
  return choice.installments === 1 ? line : line + filled(texts.inTotal, choice, texts);
}

/** A number of installments of a payment: what is charged how often. */
export function paidInstallments(
  payment: { readonly installments: number; readonly amount: number; readonly interest_amount: number },
  texts: InstallmentTexts,
): string {
  const { installments, amount, interest_amount } = payment;
  const installment_amount = Math.floor(amount / installments);
  const choice = {
    installments,
    total_amount: amount,
    interest_amount,
    // The odd centavos are in the first one.
    first_amount: amount - installment_amount * (installments - 1),
    installment_amount,
  };
  const line = installmentLine(choice, texts);
  if (choice.first_amount === installment_amount) return line;
  return `${line}. ${filled(texts.first, choice, texts)}`;
}

/** What the line does not say: the total with interest, and a first installment that is higher. Can be empty. */
export function installmentDetails(choice: InstallmentChoice, texts: InstallmentTexts): string {
  const details = [
    choice.interest_amount > 0 && texts.total,
    choice.first_amount !== choice.installment_amount && texts.first,
  ];
  return details.flatMap((text) => (text === false ? [] : [filled(text, choice, texts)])).join(' ');
}

function filled(text: string, choice: InstallmentChoice, { locale }: InstallmentTexts): string {
  const amounts: Readonly<Record<string, string>> = {
    count: String(choice.installments),
    each: shownAmount(choice.installment_amount, locale),
    first: shownAmount(choice.first_amount, locale),
    total: shownAmount(choice.total_amount, locale),
  };
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => amounts[name] ?? '');
}
