import { addDays, nextBusinessDay } from '../business-days.ts';
import { installmentAmounts } from '../installments.ts';

/** A part of a captured payment. It is available from the beginning of the merchant's day `availableOn`. */
export interface Receivable {
  readonly availableOn: string;
  readonly amount_centavos: number;
}

/** Days until a card's issuer pays an installment, counted from the one before. */
const DAYS_PER_INSTALLMENT = 30;

/** The merchant's day on which an installment of a capture becomes available (contract row 13.9). */
export type AvailableOn = (capturedOn: string, installment: number) => string;

export const AT_ONCE: AvailableOn = (capturedOn) => capturedOn;
export const NEXT_BUSINESS_DAY: AvailableOn = (capturedOn) => nextBusinessDay(capturedOn);
export const BY_INSTALLMENT: AvailableOn = (capturedOn, installment) =>
  addDays(capturedOn, DAYS_PER_INSTALLMENT * installment);

/** A capture: what decides when the money of a payment becomes available. */
export interface Capture {
  /** The rule of the payment's method. */
  readonly availableOn: AvailableOn;
  readonly captured_centavos: number;
  readonly installments: number;
  /** Merchant's day. */
  readonly capturedOn: string;
}

/** When the money of a captured payment becomes available: one part per installment, the earliest first. */
export function receivablesOf({
  availableOn,
  captured_centavos,
  installments,
  capturedOn,
}: Capture): Receivable[] {
  return installmentAmounts(captured_centavos, installments).map((amount_centavos, at) => ({
    availableOn: availableOn(capturedOn, at + 1),
    amount_centavos,
  }));
}
