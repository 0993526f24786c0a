import type { FeeRate } from './platform-fees.ts';

/** The rates of a plan. The plans are in `plans.ts`. */
export type FeeRates = Readonly<Record<PaymentMethod, FeeRate>>;

interface FeesByPlan {
  readonly standard: FeeRate;
  readonly essential: FeeRate;
}

/**
 * The payment methods: the names that the contract, the database and the acquirer use, with the rate of each plan.
 * Accounts list their methods in this order. The rules of each method are in `domain/payments/methods`.
 */
const METHODS = {
  credit_card: {
    standard: { basisPoints: 399, fixed_centavos: 39 },
    essential: { basisPoints: 449, fixed_centavos: 39 },
  },
  debit_card: {
    standard: { basisPoints: 199, fixed_centavos: 39 },
    essential: { basisPoints: 249, fixed_centavos: 39 },
  },
  pix: {
    standard: { basisPoints: 99, fixed_centavos: 0 },
    essential: { basisPoints: 119, fixed_centavos: 0 },
  },
  bank_slip: {
    standard: { basisPoints: 0, fixed_centavos: 349 },
    essential: { basisPoints: 0, fixed_centavos: 399 },
  },
  pix_recurring: {
    standard: { basisPoints: 99, fixed_centavos: 0 },
    essential: { basisPoints: 119, fixed_centavos: 0 },
  },
  browser_wallet: {
    standard: { basisPoints: 399, fixed_centavos: 39 },
    essential: { basisPoints: 449, fixed_centavos: 39 },
  },
} as const satisfies Readonly<Record<string, FeesByPlan>>;

export type PaymentMethod = keyof typeof METHODS;
export const PAYMENT_METHODS = Object.keys(METHODS) as readonly PaymentMethod[];

export const STANDARD_FEES = feesOf('standard');
export const ESSENTIAL_FEES = feesOf('essential');

function feesOf(plan: keyof FeesByPlan): FeeRates {
  return Object.fromEntries(PAYMENT_METHODS.map((method) => [method, METHODS[method][plan]])) as FeeRates;
}
