import { basisPointsOf } from '../money.ts';
import type { PaymentMethod } from './merchant.ts';

/** The fee that the platform takes from a payment when it is captured. */
export interface FeeRate {
  /** Share of the captured amount: 100 is 1 %. */
  readonly basisPoints: number;
  readonly fixed_centavos: number;
}

/** The rates of a plan. The plans are in `plans.ts`. */
export type FeeRates = Readonly<Record<PaymentMethod, FeeRate>>;

export const STANDARD_FEES: FeeRates = {
  credit_card: { basisPoints: 399, fixed_centavos: 39 },
  debit_card: { basisPoints: 199, fixed_centavos: 39 },
  browser_wallet: { basisPoints: 399, fixed_centavos: 39 },
  pix: { basisPoints: 99, fixed_centavos: 0 },
  pix_recurring: { basisPoints: 99, fixed_centavos: 0 },
  bank_slip: { basisPoints: 0, fixed_centavos: 349 },
};

export const ESSENTIAL_FEES: FeeRates = {
  credit_card: { basisPoints: 449, fixed_centavos: 39 },
  debit_card: { basisPoints: 249, fixed_centavos: 39 },
  browser_wallet: { basisPoints: 449, fixed_centavos: 39 },
  pix: { basisPoints: 119, fixed_centavos: 0 },
  pix_recurring: { basisPoints: 119, fixed_centavos: 0 },
  bank_slip: { basisPoints: 0, fixed_centavos: 399 },
};

/** The fee for a captured amount: never more than the amount (contract row 13.8). */
export function platformFee(rate: FeeRate, captured_centavos: number): number {
  const fee_centavos = basisPointsOf(captured_centavos, rate.basisPoints) + rate.fixed_centavos;
  return Math.min(fee_centavos, captured_centavos);
}
