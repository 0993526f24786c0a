import {
  lockDuePayments,
  merchantsAheadWithDuePayments,
  merchantsWithDuePayments,
  nextPaymentDue,
  slotsWithDuePayments,
} from '../db/due-payments.ts';
import { findMerchant } from '../db/merchants.ts';
import { assertServing } from '../db/serving.ts';
import { DatabaseUnavailable } from '../db/unavailable.ts';
import type { Merchant } from '../domain/merchant.ts';
import { PAYMENT_MOVES } from '../domain/payment-transitions.ts';
import type { MerchantScope } from '../domain/scope.ts';
import { recordClockStep } from './clock-steps.ts';
import { type Deps, now } from './deps.ts';
import { movePayment } from './move-payment.ts';

const BATCH = 50;

/** A payment whose cancellation is under way expires once the cancellation has failed. */
const statuses = PAYMENT_MOVES.expire.from;

/** When the next payment of the merchant is to expire, or null. */
export function nextPaymentExpiry(deps: Deps, merchant: MerchantScope): Promise<Date | null> {
  return nextPaymentDue(deps.db, merchant, statuses);
}

/**
 * Expires the payments of one merchant that waited past their time, one transaction a batch; resolves to how many.
 * Money that crosses an expiry on its way is taken all the same (`settle` in the transition table).
 */
export async function expirePaymentsOf(deps: Deps, merchant: Merchant): Promise<number> {
  let expired = 0;
  for (;;) {
    const batch = await deps.db.transaction(merchant, async (tx) => {
      const at = now(deps, merchant);
      const due = await lockDuePayments(tx, merchant, { statuses, until: at, limit: BATCH });
      for (const payment of due) {
        await movePayment(deps, tx, merchant, payment, 'expire', { patch: { due_at: null }, at });
        await recordClockStep(deps, tx, merchant, { step: `expire_${payment.method}`, objectId: payment.id });
      }
      return due.length;
    });
    expired += batch;
    if (batch < BATCH) return expired;
  }
}

/**
 * Expires what is due by wall time, which no merchant's clock is behind; then what is due by the clocks that were
 * moved ahead (sandbox only; one that is being advanced runs its own steps in order). Resolves to how many; a merchant's
 * failure is logged and does not keep the others. Throws `DatabaseUnavailable` where nobody is served.
 */
export async function expirePayments(deps: Deps): Promise<number> {
  const scopes: MerchantScope[] = [];
  for (const slot of await slotsWithDuePayments(deps.db, deps.wall())) {
    scopes.push(...(await merchantsWithDuePayments(deps.db, slot, deps.wall())));
  }
  if (deps.environment === 'sandbox') {
    scopes.push(...(await merchantsAheadWithDuePayments(deps.db, deps.wall())));
  }
  let expired = 0;
  for (const scope of scopes) {
    try {
      expired += await expireByTickingClock(deps, scope);
    } catch (error) {
      deps.log.error({ merchant_id: scope.merchantId, err: error }, 'expiring payments failed');
      // Whoever cannot be served takes seconds to say so: where nobody can, the others are not asked.
      if (error instanceof DatabaseUnavailable) await assertServing(deps.db);
    }
  }
  return expired;
}

async function expireByTickingClock(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return expirePaymentsOf(deps, merchant);
}
