import { BEHAVIOURS, type EventName } from './behaviours.ts';
import type { Queryable, Tx } from './database.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import type { Payment } from './payments.ts';

/** An event of a payment that will happen without a call, or (`settled`) the late end of one of its operations. */
export interface ScheduledEvent {
  readonly event: EventName | 'settled';
  readonly dueAt: Date;
  /** The outcome of `settled`: `approve` or the refusal code. The reason of another event, if it has one. */
  readonly reason: string | null;
  readonly paymentReference: string;
  readonly operationReference: string | null;
}

/** Schedules an event for a time of the account. */
export async function scheduleEvent(tx: Tx, account: string, scheduled: ScheduledEvent): Promise<void> {
  const { dueAt, event, reason, paymentReference, operationReference } = scheduled;
  await tx.query({
    name: 'schedule-event',
    text: `with known as (insert into simulator.accounts (account) values ($1) on conflict do nothing)
      insert into simulator.scheduled_events (account, due_at, event, reason, payment_reference, operation_reference)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [account, dueAt, event, reason, paymentReference, operationReference],
  });
}

/** Schedules the follow-ups of the payment's behaviour. `at` is when it was accepted or paid. */
export async function scheduleFollowUps(tx: Tx, payment: Payment, after: 'accepted' | 'paid', at: Date) {
  const { type } = SIMULATED_METHODS[payment.method];
  for (const followUp of BEHAVIOURS[payment.behaviour].followUps ?? []) {
    if (followUp.after !== after || (followUp.only ?? type) !== type) continue;
    const dueAt = new Date(at.getTime() + followUp.delay_ms);
    await schedulePaymentEvent(tx, payment, { event: followUp.event, dueAt });
  }
}

/** An event of a payment itself, not of one of its operations. */
interface PaymentEvent extends Pick<ScheduledEvent, 'event'> {
  readonly dueAt: Date;
  readonly reason?: string | null;
}

/** Schedules an event of a payment. */
export async function schedulePaymentEvent(
  tx: Tx,
  { account, reference }: Pick<Payment, 'account' | 'reference'>,
  { event, dueAt, reason = null }: PaymentEvent,
) {
  await scheduleEvent(tx, account, {
    event,
    dueAt,
    reason,
    paymentReference: reference,
    operationReference: null,
  });
}

/**
 * Deletes the events that can no longer happen, as the payment was paid, captured, voided or refused. Skips a row that
 * another process is running: that process waits for the payment and then finds nothing to do, so there is no deadlock.
 */
export async function deleteScheduledEvents(tx: Tx, payment: Payment): Promise<void> {
  await tx.query({
    name: 'delete-scheduled-events',
    text: `delete from simulator.scheduled_events where account = $1 and position in (
        select position from simulator.scheduled_events
        where account = $1 and payment_reference = $2 and event in ('paid', 'refused', 'expired', 'fraud', 'mandate_authorized', 'mandate_rejected')
        for update skip locked)`,
    values: [payment.account, payment.reference],
  });
}

/** Deletes the scheduled end of an operation that has ended early. */
export async function deleteScheduledSettlement(
  tx: Tx,
  account: string,
  operationReference: string,
): Promise<void> {
  await tx.query(
    `delete from simulator.scheduled_events where account = $1 and position in (
        select position from simulator.scheduled_events
        where account = $1 and operation_reference = $2 for update skip locked)`,
    [account, operationReference],
  );
}

/** The account's earliest time with a due event, and payments that have one then. */
export interface DueInstant {
  readonly at: Date;
  readonly paymentReferences: readonly string[];
}

/** The earliest time up to `until` (account's time) with an event, and up to `limit` payments with one. Null: none. */
export async function findDueInstant(
  q: Queryable,
  account: string,
  until: Date,
  limit: number,
): Promise<DueInstant | null> {
  const { rows } = await q.query({
    name: 'find-due-instant',
    text: `select due_at, payment_reference from simulator.scheduled_events
      where account = $1 and due_at = (
        select min(due_at) from simulator.scheduled_events where account = $1 and due_at <= $2)
      order by position limit $3`,
    values: [account, until, limit],
  });
  if (rows.length === 0) return null;
  return { at: rows[0].due_at, paymentReferences: [...new Set(rows.map((row) => row.payment_reference))] };
}

/**
 * Deletes and returns the earliest event of a payment that is due at `until` (account's time). Its row stays locked.
 * Null if another process has taken it.
 */
export async function takeDueEvent(
  tx: Tx,
  account: string,
  paymentReference: string,
  until: Date,
): Promise<ScheduledEvent | null> {
  const { rows } = await tx.query({
    name: 'take-due-event',
    text: `delete from simulator.scheduled_events where account = $1 and position = (
        select position from simulator.scheduled_events
        where account = $1 and payment_reference = $2 and due_at <= $3
        order by due_at, position limit 1 for update)
      returning event, due_at, reason, operation_reference`,
    values: [account, paymentReference, until],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    event: row.event,
    dueAt: row.due_at,
    reason: row.reason,
    paymentReference,
    operationReference: row.operation_reference,
  };
}

/** When the account's next event is due, in its time, or null. */
export async function nextDue(q: Queryable, account: string): Promise<Date | null> {
  const { rows } = await q.query({
    name: 'next-due',
    text: 'select due_at from simulator.scheduled_events where account = $1 order by due_at limit 1',
    values: [account],
  });
  return rows[0]?.due_at ?? null;
}

/** Accounts that have an event due at wall time `now`, each with its own time then. */
export async function accountsWithDueEvents(
  q: Queryable,
  now: Date,
): Promise<{ account: string; time: Date }[]> {
  const { rows } = await q.query({
    name: 'accounts-with-due-events',
    text: `select account, $1::timestamptz + clock_offset_ms * interval '1 millisecond' as time
      from simulator.accounts a
      where exists (select 1 from simulator.scheduled_events e where e.account = a.account
        and e.due_at <= $1::timestamptz + a.clock_offset_ms * interval '1 millisecond')
      limit 100`,
    values: [now],
  });
  return rows;
}
