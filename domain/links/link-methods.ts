import { CHECKOUT_METHODS, type CheckoutMethod, checkoutRules } from '../payments/methods/index.ts';

export function needsAddress(methods: readonly CheckoutMethod[]): boolean {
  return methods.some((method) => checkoutRules(method).needsAddress);
}

export function startsSubscriptions(methods: readonly CheckoutMethod[]): boolean {
  return methods.some((method) => checkoutRules(method).startsSubscriptions);
}

/** The methods that can start subscriptions. */
export const SUBSCRIPTION_METHODS = CHECKOUT_METHODS.filter((method) => startsSubscriptions([method]));
