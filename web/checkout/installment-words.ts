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
  readonly once: string;
  readonly withoutInterest: string;
  readonly withInterest: string;
  readonly total: string;
  readonly first: string;
}

/** One line for an option: what is charged how often, and whether there is interest. */
export function installmentLine(choice: InstallmentChoice, texts: InstallmentTexts): string {
  if (choice.installments === 1) return filled(texts.once, choice, texts);
  return filled(choice.interest_amount > 0 ? texts.withInterest : texts.withoutInterest, choice, texts);
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
