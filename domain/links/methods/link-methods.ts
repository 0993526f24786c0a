import type { PaymentMethod } from '../../merchants/merchant.ts';

/** Methods that a payment link can have. */
export type LinkMethod = Exclude<PaymentMethod, 'pix_recurring' | 'browser_wallet'>;

/** The rules of a payment link for a method. */
interface LinkMethodRules {
  /** Whether the address of the payer is needed. */
  readonly needsAddress: boolean;
  /** Whether it can be charged again for a subscription that the link starts. */
  readonly startsSubscriptions: boolean;
  /** Whether the buyer can pay in installments. */
  readonly hasInstallments: boolean;
  /** Whether an authorization can be captured later. */
  readonly canCaptureLater: boolean;
}

const RULES: Readonly<Record<LinkMethod, LinkMethodRules>> = {
  pix: { needsAddress: false, startsSubscriptions: false, hasInstallments: false, canCaptureLater: false },
  credit_card: {
    needsAddress: false,
    startsSubscriptions: true,
    hasInstallments: true,
    canCaptureLater: true,
  },
  debit_card: {
    needsAddress: false,
    startsSubscriptions: false,
    hasInstallments: false,
    canCaptureLater: false,
  },
  bank_slip: {
    needsAddress: true,
    startsSubscriptions: false,
    hasInstallments: false,
    canCaptureLater: false,
  },
};

export function needsAddress(methods: readonly LinkMethod[]): boolean {
  return methods.some((method) => RULES[method].needsAddress);
}

export function startsSubscriptions(methods: readonly LinkMethod[]): boolean {
  return methods.some((method) => RULES[method].startsSubscriptions);
}

export function hasInstallments(method: LinkMethod): boolean {
  return RULES[method].hasInstallments;
}

export function canCaptureLater(method: LinkMethod): boolean {
  return RULES[method].canCaptureLater;
}

/** All methods that a checkout page can have. */
export const CHECKOUT_METHODS = Object.keys(RULES) as LinkMethod[];

/** The methods that can start subscriptions. */
export const SUBSCRIPTION_METHODS = CHECKOUT_METHODS.filter((method) => RULES[method].startsSubscriptions);
