import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import {
  lockDuePayments,
  merchantsAheadWithDuePayments,
  merchantsWithDuePayments,
  nextPaymentDue,
  slotsAheadWithDuePayments,
  slotsWithDuePayments,
} from '../../db/payments/due-payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { PAYMENT_MOVES } from '../../domain/payments/payment-transitions.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { recordClockStep } from '../clock-steps.ts';
import { type Deps, now } from '../deps.ts';
import { type Work, WorkLoop } from '../work-loop.ts';
import { movePayment } from './move-payment.ts';

const EXPIRING_FAILED = 'expiring payments failed';
const BATCH = 50;
/** Merchants at a time. One whose rows are locked holds a connection for seconds; requests need some, too. */
const CONCURRENCY = 6;

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
 * Merchants with payments to expire: by wall time, which no merchant's clock is behind, and in the sandbox by the clocks
 * that were moved ahead. One that is being advanced runs its own steps in order.
 */
export function paymentsToExpire(
  deps: Deps,
  onExpired: (count: number) => void = () => {},
): Work<MerchantScope> {
  const isSandbox = deps.environment === 'sandbox';
  return {
    findSlots: async () => {
      const slots = await slotsWithDuePayments(deps.db, deps.wall());
      const ahead = isSandbox ? await slotsAheadWithDuePayments(deps.db, deps.wall()) : [];
      return [...new Set([...slots, ...ahead])];
    },
    claim: async (slot, claim) => {
      const wall = deps.wall();
      const due = await merchantsWithDuePayments(deps.db, slot, { ...claim, until: wall });
      if (!isSandbox || due.length === claim.limit) return due;
      const except = [...claim.except, ...due.map(({ merchantId }) => merchantId)];
      const rest = { only: claim.only, limit: claim.limit - due.length, except, wall };
      return [...due, ...(await merchantsAheadWithDuePayments(deps.db, slot, rest))];
    },
    run: async (scope) => {
      const expired = await expireByTickingClock(deps, scope).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        // Nothing keeps the merchant from being claimed again, so this is as if it had nothing to expire.
        deps.log.error({ merchant_id: scope.merchantId, err: error }, EXPIRING_FAILED);
        return 0;
      });
      onExpired(expired);
      return expired > 0;
    },
    failure: () => ({ message: EXPIRING_FAILED }),
    concurrency: CONCURRENCY,
  };
}

/** Expires all that is due now; resolves to how many. Throws `DatabaseUnavailable` where nobody is served. */
export async function expirePayments(deps: Deps): Promise<number> {
  let expired = 0;
  const work = paymentsToExpire(deps, (count) => {
    expired += count;
  });
  await new WorkLoop(deps, work).runToEnd();
  return expired;
}

async function expireByTickingClock(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined || merchant.clock.pinnedAt !== null) return 0;
  return expirePaymentsOf(deps, merchant);
}
