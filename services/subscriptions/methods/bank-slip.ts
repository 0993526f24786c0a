import { type ChargeMethod, NOT_CHARGED_NOW } from './method.ts';

export const bankSlip: ChargeMethod = {
  laterInput: () => ({}),
  firstDue: {
    refuse: (violations) => violations.add('payment.bankSlip.dueAt', NOT_CHARGED_NOW),
    day: (input) => (input as { readonly dueAt?: string }).dueAt,
  },
  hasInstallments: false,
};
