import { chargedMeans } from '../payments/methods/index.ts';
import type { Payment } from '../payments/payment.ts';
import type { Subscription } from './subscription.ts';

/**
 * Whether a payment charges a means of payment that its subscription no longer uses, because another one replaced it.
 * Boleto and Pix charge no stored means, so the result is false if one of the two replaced the other.
 */
export function isByFormerMeans(
  payment: Payment,
  { cardId, walletCredentialId, mandateId }: Subscription,
): boolean {
  return chargedMeans(payment) !== (cardId ?? walletCredentialId ?? mandateId);
}
