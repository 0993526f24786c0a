import { transaction } from './database.ts';
import { lockPayment } from './payments.ts';
import { accountsWithDueEvents, findDueInstant, takeDueEvent } from './scheduled-events.ts';
import { settleOperation } from './settle-operation.ts';
import { simulateEvent } from './simulate-event.ts';
import type { Simulator } from './simulator.ts';

/** How long to wait for the delivery of an event's notifications. They are still sent after that. */
const DELIVERY_TIMEOUT_MS = 5_000;

/** How long one call of `runDue` works before it answers `more`. */
const RUN_BUDGET_MS = 5_000;

/** The maximum of events that run at the same time: fewer than the connections of the pool. */
const CONCURRENCY = 6;

/**
 * Runs the account's events that are due at `until` (account's time), earliest first, each at its own time and with its
 * notifications delivered before the next one. Events of different payments at the same time run together. Returns when
 * no notification is waiting, or with `more` when its time is over.
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

/**
 * Runs the earliest event that is due, with those of other payments at the same time. Returns the ids of their
 * notifications, or null when none was due.
 */
async function runNext(simulator: Simulator, account: string, until: Date): Promise<string[] | null> {
  const instant = await findDueInstant(simulator.pool, account, until, CONCURRENCY);
  if (instant === null) return null;
  const { at, paymentReferences } = instant;
  const running = paymentReferences.map((reference) => runEventOf(simulator, account, reference, at));
  const results = await Promise.allSettled(running);
  return results.flatMap((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** Runs the earliest event of a payment that is due. Returns the ids of its notifications. */
async function runEventOf(
  { pool }: Simulator,
  account: string,
  paymentReference: string,
  until: Date,
): Promise<string[]> {
  const notified = await transaction(pool, async (tx, rollback) => {
    const due = (await takeDueEvent(tx, account, paymentReference, until)) ?? rollback();
    const payment = await lockPayment(tx, account, paymentReference);
    if (!payment) return [];
    const { event, dueAt: at, reason } = due;
    const reference = due.operationReference ?? payment.reference;
    if (event === 'settled') {
      // Written by ourselves from the outcome of a call: `approve` or a refusal code.
      const outcome = reason as Parameters<typeof settleOperation>[2];
      const notified = await settleOperation({ tx, payment, at }, reference, outcome);
      return notified ? [notified] : [];
    }
    const result = await simulateEvent(tx, payment, { outcome: event, reference, reason, at });
    return 'notified' in result ? result.notified : [];
  });
  return notified ?? [];
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
