import { chargedMeans } from '../payments/methods/index.ts';
import type { Payment } from '../payments/payment.ts';
import type { Subscription } from './subscription.ts';

/**
 * Whether a payment charges a means of payment that its subscription no longer uses, because another one replaced it. A
 * boleto and a Pix QR code charge no stored means, so this is false for one that the other replaced.
 */
export function isByFormerMeans(
  payment: Payment,
  { cardId, walletCredentialId, mandateId }: Subscription,
): boolean {
  return chargedMeans(payment) !== (cardId ?? walletCredentialId ?? mandateId);
}
