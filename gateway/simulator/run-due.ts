import { transaction } from './database.ts';
import { lockPayment } from './payments.ts';
import { accountsWithDueEvents, takeDueEvent } from './scheduled-events.ts';
import { settleOperation } from './settle-operation.ts';
import { simulateEvent } from './simulate-event.ts';
import type { Simulator } from './simulator.ts';

/** How long to wait for the delivery of an event's notifications. They are still sent after that. */
const DELIVERY_TIMEOUT_MS = 5_000;

/** How long one call of `runDue` works before it answers `more`. */
const RUN_BUDGET_MS = 5_000;

/**
 * Runs the account's events that are due at `until` (account's time), earliest first, each at its own time and with its
 * notifications delivered before the next one. Returns when no notification is waiting, or with `more` when its time is
 * over.
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

/** Runs the earliest event that is due. Returns the ids of its notifications, or null when none was due. */
function runNext({ pool }: Simulator, account: string, until: Date): Promise<string[] | null> {
  return transaction(pool, async (tx, rollback) => {
    const due = (await takeDueEvent(tx, account, until)) ?? rollback();
    const payment = await lockPayment(tx, account, due.paymentReference);
    if (!payment) return [];
    const { event, dueAt: at, reason } = due;
    const reference = due.operationReference ?? payment.reference;
    if (event === 'settled') {
      // Written by ourselves from the outcome of a call: `approve` or a refusal code.
      const outcome = reason as Parameters<typeof settleOperation>[3];
      const notified = await settleOperation(tx, payment, reference, outcome, at);
      return notified ? [notified] : [];
    }
    const result = await simulateEvent(tx, payment, { outcome: event, reference, reason, at });
    return 'notified' in result ? result.notified : [];
  });
}

/** Runs what is due by now for every account, without waiting for delivery. */
export async function runAllDue(simulator: Simulator): Promise<void> {
  const failures: unknown[] = [];
  for (const { account, time } of await accountsWithDueEvents(simulator.pool, new Date())) {
    try {
      while ((await runNext(simulator, account, time)) !== null);
    } catch (error) {
      failures.push(error); // The other accounts are still run.
    }
  }
  if (failures.length > 0) throw failures[0];
}
