import { happen } from './happen.ts';
import { lockPayment } from './payments.ts';
import { accountsWithDue, takeDue } from './planned.ts';
import { settle } from './settle.ts';
import type { Simulator } from './simulator.ts';
import { transaction } from './store.ts';

/** The longest that a notification of the clock's is waited for; it goes on being sent after. */
const DELIVERY_TIMEOUT_MS = 5_000;

/** One call of the clock works no longer than this, and says that there is `more`. */
const RUN_BUDGET_MS = 5_000;

/**
 * Runs what is due for the account at `until` (account's time), earliest first, each at its own time and each told
 * before the next. Answers when nothing waits to be delivered any more, or with `more` when its time is over.
 */
export async function runDue(simulator: Simulator, account: string, until: Date) {
  const deadline = Date.now() + RUN_BUDGET_MS;
  let delivered = 0;
  for (;;) {
    const notified = await runNext(simulator, account, until);
    if (notified === null) break;
    if (notified.length > 0) {
      const waiting = await simulator.outbox.drain(account, notified, DELIVERY_TIMEOUT_MS);
      delivered += notified.length - waiting;
    }
    if (Date.now() > deadline) return { delivered, more: true };
  }
  await simulator.outbox.drain(account, null, DELIVERY_TIMEOUT_MS);
  return { delivered, more: false };
}

/** Runs the earliest thing that is due; answers the ids of its notifications, or null when nothing was due. */
function runNext({ pool }: Simulator, account: string, until: Date): Promise<string[] | null> {
  return transaction(pool, async (tx, rollback) => {
    const due = (await takeDue(tx, account, until)) ?? rollback();
    const payment = await lockPayment(tx, account, due.paymentReference);
    if (!payment) return [];
    const { happening, dueAt: at, reason, operationReference } = due;
    if (happening === 'settled') {
      // Written by us, from an act: `approve` or a refusal reason.
      const verdict = reason as Parameters<typeof settle>[3];
      const notified = await settle(tx, payment, operationReference ?? payment.reference, verdict, at);
      return notified ? [notified] : [];
    }
    const happened = await happen(tx, payment, {
      outcome: happening,
      reference: operationReference ?? payment.reference,
      reason,
      at,
    });
    return 'notified' in happened ? happened.notified : [];
  });
}

/** Runs what fell due while the clocks ticked, of every account, without waiting for delivery. */
export async function runAllDue(simulator: Simulator): Promise<void> {
  const failures: unknown[] = [];
  for (const { account, time } of await accountsWithDue(simulator.pool, new Date())) {
    try {
      while ((await runNext(simulator, account, time)) !== null);
    } catch (error) {
      failures.push(error); // one account's trouble does not stop another's time
    }
  }
  if (failures.length > 0) throw failures[0];
}
