import { basisPointsOf } from './money.ts';

export const MAX_INSTALLMENTS = 12;

/** Interest in basis points on the whole amount, by number of installments: a merchant's own table. */
export type InterestTable = Readonly<Record<number, number>>;

/** How a buyer may pay an amount on a card. */
export interface InstallmentOption {
  readonly installments: number;
  /** What the buyer pays, interest included. */
  readonly total_centavos: number;
  readonly interest_centavos: number;
  /** What is charged each time, the first one first. */
  readonly amounts_centavos: readonly number[];
}

/** Which numbers of installments are offered, and for which the buyer pays interest. */
export interface InstallmentTerms {
  readonly maxInstallments: number;
  /** Up to this number the buyer pays no interest. Null: no number has interest. */
  readonly interestFreeInstallments: number | null;
  readonly interest: InterestTable;
}

/** The largest number of installments that an amount can have: each of them is at least one centavo. */
export function mostInstallments(amount_centavos: number): number {
  return Math.min(amount_centavos, MAX_INSTALLMENTS);
}

/** The amounts of `installments` equal payments. The remaining centavos are added to the first. */
export function installmentAmounts(amount_centavos: number, installments: number): number[] {
  const equal_centavos = Math.floor(amount_centavos / installments);
  const odd_centavos = amount_centavos - equal_centavos * installments;
  return Array.from({ length: installments }, (_, at) => equal_centavos + (at === 0 ? odd_centavos : 0));
}

/**
 * The option for a number of installments. Null if it is not offered: above the maximum, without a rate in the
 * merchant's table when interest is due, or if an installment would be less than one centavo.
 */
export function installmentOption(
  amount_centavos: number,
  installments: number,
  { maxInstallments, interestFreeInstallments, interest }: InstallmentTerms,
): InstallmentOption | null {
  const isOffered = Number.isInteger(installments) && installments >= 1 && installments <= maxInstallments;
  if (!isOffered || installments > mostInstallments(amount_centavos)) return null;
  const isFree =
    installments === 1 || interestFreeInstallments === null || installments <= interestFreeInstallments;
  const rate = isFree ? 0 : interest[installments];
  if (rate === undefined) return null;
  const interest_centavos = basisPointsOf(amount_centavos, rate);
  const total_centavos = amount_centavos + interest_centavos;
  const amounts_centavos = installmentAmounts(total_centavos, installments);
  return { installments, total_centavos, interest_centavos, amounts_centavos };
}

/** Every option that is offered, one payment first. */
export function installmentOptions(amount_centavos: number, terms: InstallmentTerms): InstallmentOption[] {
  return Array.from({ length: terms.maxInstallments }, (_, at) =>
    installmentOption(amount_centavos, at + 1, terms),
  ).filter((option) => option !== null);
}
