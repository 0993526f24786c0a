import type { CardMethod } from '../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';

type Schemas = components['schemas'];
type CardPayment = Payment<CardMethod>;

/** Credit and debit cards. */
export const card = {
  block: ({ details }: CardPayment): Schemas['PaymentCreditCard'] => ({
    id: details.cardId,
    brand: details.brand,
    first_6: details.first6,
    last_4: details.last4,
    authorization_code: details.authorizationCode,
  }),
  buyerBlock: ({ details: { brand, last4 } }: CardPayment): Schemas['CheckoutPaymentCard'] => ({
    brand,
    last_4: last4,
  }),
};
