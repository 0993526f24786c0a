import { findRefund } from '../../db/payments/refunds.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';
import { getPayment } from './get-payment.ts';

/**
 * A refund by its id; the payment by any of its identifiers. Refusal: `not_found`, also for a refund of another
 * payment.
 */
export async function getRefund(
  deps: Deps,
  merchant: Merchant,
  paymentIdentifier: string,
  refundId: string,
): Promise<Refund> {
  const payment = await getPayment(deps, merchant, paymentIdentifier);
  const refund = isCanonicalUuid(refundId)
    ? await findRefund(deps.db, merchant, normalizeUuid(refundId))
    : undefined;
  if (refund === undefined || refund.paymentId !== payment.id) throw notFound('Refund');
  return refund;
}
