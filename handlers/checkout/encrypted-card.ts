import type { components } from '../../generated/types.ts';

type PaymentCreate = components['schemas']['CheckoutPaymentCreate'];
type CardMethod = Extract<keyof PaymentCreate, PaymentCreate['payment_method']>;

/** The card of a payment or a subscription by card. The contract names its field after the method. */
export function encryptedCard(
  body: Pick<PaymentCreate, 'payment_method'> & Partial<Pick<PaymentCreate, CardMethod>>,
) {
  const method = body.payment_method;
  return method in body ? body[method as CardMethod]?.encrypted : undefined;
}
