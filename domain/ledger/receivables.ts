import { addDays, nextBusinessDay } from '../business-days.ts';
import { installmentAmounts } from '../installments.ts';
import type { PaymentMethod } from '../merchants/merchant.ts';

/** A part of a captured payment. It is available from the beginning of the merchant's day `availableOn`. */
export interface Receivable {
  readonly availableOn: string;
  readonly amount_centavos: number;
}

/** Days until a card's issuer pays an installment, counted from the one before. */
const DAYS_PER_INSTALLMENT = 30;

type AvailableOn = (capturedOn: string, installment: number) => string;

const AT_ONCE: AvailableOn = (capturedOn) => capturedOn;
const NEXT_BUSINESS_DAY: AvailableOn = (capturedOn) => nextBusinessDay(capturedOn);
const BY_INSTALLMENT: AvailableOn = (capturedOn, installment) =>
  addDays(capturedOn, DAYS_PER_INSTALLMENT * installment);

/** Contract row 13.9. */
const AVAILABLE_ON: Readonly<Record<PaymentMethod, AvailableOn>> = {
  pix: AT_ONCE,
  pix_recurring: AT_ONCE,
  debit_card: NEXT_BUSINESS_DAY,
  bank_slip: NEXT_BUSINESS_DAY,
  credit_card: BY_INSTALLMENT,
  browser_wallet: BY_INSTALLMENT,
};

/** A capture: what decides when the money of a payment becomes available. */
export interface Capture {
  readonly method: PaymentMethod;
  readonly captured_centavos: number;
  readonly installments: number;
  /** Merchant's day. */
  readonly capturedOn: string;
}

/** When the money of a captured payment becomes available: one part per installment, the earliest first. */
export function receivablesOf({
  method,
  captured_centavos,
  installments,
  capturedOn,
}: Capture): Receivable[] {
  return installmentAmounts(captured_centavos, installments).map((amount_centavos, at) => ({
    availableOn: AVAILABLE_ON[method](capturedOn, at + 1),
    amount_centavos,
  }));
}
