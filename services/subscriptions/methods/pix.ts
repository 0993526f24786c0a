import { merchantDay } from '../../../domain/local-time.ts';
import { type ChargeMethod, NOT_CHARGED_NOW } from './method.ts';

export const pix: ChargeMethod = {
  laterInput: () => ({}),
  firstDue: {
    refuse: (violations) => violations.add('payment.pix.expiresAt', NOT_CHARGED_NOW),
    day: (input) => {
      const { expiresAt } = input as { readonly expiresAt?: string };
      return expiresAt === undefined ? undefined : merchantDay(new Date(expiresAt));
    },
  },
  hasInstallments: false,
};
