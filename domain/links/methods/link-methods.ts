import type { PaymentMethod } from '../../merchants/merchant.ts';

/** Methods that a payment link can have. */
export type LinkMethod = Exclude<PaymentMethod, 'pix_recurring' | 'browser_wallet'>;

/** The rules of a payment link for a method. */
interface LinkMethodRules {
  /** Whether the address of the payer is needed. */
  readonly needsAddress: boolean;
  /** Whether it can be charged again for a subscription that the link starts. */
  readonly startsSubscriptions: boolean;
}

const RULES: Readonly<Record<LinkMethod, LinkMethodRules>> = {
  pix: { needsAddress: false, startsSubscriptions: false },
  credit_card: { needsAddress: false, startsSubscriptions: true },
  debit_card: { needsAddress: false, startsSubscriptions: false },
  bank_slip: { needsAddress: true, startsSubscriptions: false },
};

export function needsAddress(methods: readonly LinkMethod[]): boolean {
  return methods.some((method) => RULES[method].needsAddress);
}

export function startsSubscriptions(methods: readonly LinkMethod[]): boolean {
  return methods.some((method) => RULES[method].startsSubscriptions);
}

/** The methods that can start subscriptions. */
export const SUBSCRIPTION_METHODS = (Object.keys(RULES) as LinkMethod[]).filter(
  (method) => RULES[method].startsSubscriptions,
);
