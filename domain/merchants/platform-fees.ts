import { basisPointsOf } from '../money.ts';

/** The fee that the platform takes from a payment when it is captured. */
export interface FeeRate {
  /** Share of the captured amount: 100 is 1 %. */
  readonly basisPoints: number;
  readonly fixed_centavos: number;
}

/** The fee for a captured amount: never more than the amount (contract row 13.8). */
export function platformFee(rate: FeeRate, captured_centavos: number): number {
  const fee_centavos = basisPointsOf(captured_centavos, rate.basisPoints) + rate.fixed_centavos;
  return Math.min(fee_centavos, captured_centavos);
}
