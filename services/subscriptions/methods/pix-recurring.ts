import type { ChargeMethod } from './method.ts';

/** Charges are made by the mandate of the subscription, so they have no input. */
export const pixRecurring: ChargeMethod = {
  laterInput: () => ({}),
  firstDue: null,
  hasInstallments: false,
};
