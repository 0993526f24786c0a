import { findPaymentByIdentifier } from '../../db/payments/payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { isStorableText } from '../../domain/text.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

export { merchantShare } from '../../domain/payments/payment-ledger.ts';

/** A payment by its id, hash, order code or Pix txid (contract row 7.5), in this order. Refusal: `not_found`. */
export async function getPayment(deps: Deps, merchant: Merchant, identifier: string): Promise<Payment> {
  const payment = isStorableText(identifier)
    ? await findPaymentByIdentifier(deps.db, merchant, identifier)
    : undefined;
  if (payment === undefined) throw notFound('Payment');
  return payment;
}
