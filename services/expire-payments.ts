import { listMovedClocks } from '../db/merchant-clocks.ts';
import { findMerchant } from '../db/merchants.ts';
import { lockDuePayments, merchantsWithDuePayments, slotsWithDuePayments } from '../db/payments.ts';
import type { Merchant } from '../domain/merchant.ts';
import { mayMove } from '../domain/payment-transitions.ts';
import type { MerchantScope } from '../domain/scope.ts';
import { type Deps, now } from './deps.ts';
import { movePayment } from './move-payment.ts';

const BATCH = 50;

export interface ExpiredPayment {
  readonly paymentId: string;
  readonly at: Date;
}

/**
 * Expires the payments of one merchant that waited past their time, one transaction a batch; resolves to those.
 * Money that crosses an expiry on its way is taken all the same (`settle` in the transition table).
 */
export async function expirePaymentsOf(deps: Deps, merchant: Merchant): Promise<ExpiredPayment[]> {
  const expired: ExpiredPayment[] = [];
  for (;;) {
    const batch = await deps.db.transaction(async (tx) => {
      const at = now(deps, merchant);
      const due = await lockDuePayments(tx, merchant, at, BATCH);
      for (const payment of due) {
        if (!mayMove('expire', payment.status)) continue;
        await movePayment(deps, tx, merchant, payment, 'expire', { patch: { due_at: null }, at });
        expired.push({ paymentId: payment.id, at });
      }
      return due.length;
    });
    if (batch < BATCH) return expired;
  }
}

/**
 * Expires what is due by wall time, which no merchant's clock is behind; then what is due by the clocks that were
 * moved ahead (sandbox only; one that is being advanced runs its own steps in order). Resolves to how many.
 */
export async function expirePayments(deps: Deps): Promise<number> {
  const scopes: MerchantScope[] = [];
  for (const slot of await slotsWithDuePayments(deps.db, deps.wall())) {
    scopes.push(...(await merchantsWithDuePayments(deps.db, slot, deps.wall())));
  }
  if (deps.environment === 'sandbox') scopes.push(...(await listMovedClocks(deps.db)));
  let expired = 0;
  for (const scope of scopes) {
    const merchant = await findMerchant(deps.db, scope);
    if (merchant !== undefined && merchant.clock.pinnedAt === null) {
      expired += (await expirePaymentsOf(deps, merchant)).length;
    }
  }
  return expired;
}
