import { findMerchant } from '../../db/merchants/merchants.ts';
import { lockDuePayments, nextPaymentDue } from '../../db/payments/due-payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PaymentStatus } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep } from '../clock-steps.ts';
import { type Deps, now } from '../deps.ts';
import { movePayment } from './move-payment.ts';

const BATCH = 50;

/**
 * While a cancellation is pending, a payment with this status does not expire. It can expire after the cancellation has
 * failed.
 */
const statuses: readonly PaymentStatus[] = ['waiting_payment'];

/** When the next payment of the merchant is to expire, or null. */
export function nextPaymentExpiry(deps: Deps, merchant: MerchantScope): Promise<Date | null> {
  return nextPaymentDue(deps.db, merchant, statuses);
}

/**
 * Expires the payments of one merchant that were not paid in time, in batches of one transaction each. Returns how
 * many. A payment that arrives after the expiry still settles.
 */
export async function expirePaymentsOf(deps: Deps, merchant: Merchant): Promise<number> {
  let expired = 0;
  for (;;) {
    const batch = await deps.db.transaction(merchant, async (tx) => {
      const at = now(deps, merchant);
      const due = await lockDuePayments(tx, merchant, { statuses, until: at, limit: BATCH });
      for (const payment of due) {
        await movePayment({ deps, tx, merchant }, payment, { by: 'clock', at }, { move: 'expire' });
        await recordClockStep(deps, tx, merchant, { step: `expire_${payment.method}`, objectId: payment.id });
      }
      return due.length;
    });
    expired += batch;
    if (batch < BATCH) return expired;
  }
}

/**
 * The same, unless the merchant's clock is being advanced: the advance then runs these steps itself, in order. Returns
 * how many payments expired.
 */
export async function expirePaymentsUnlessAdvancing(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return expirePaymentsOf(deps, merchant);
}
