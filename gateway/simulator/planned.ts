import type { SimulatedOutcome } from '../sandbox-control.ts';
import { BEHAVIOURS } from './behaviours.ts';
import type { Payment } from './payments.ts';
import type { Queryable, Tx } from './store.ts';

/** Something that will happen by itself: to a payment, or (`settled`) the late end of one of its operations. */
export interface Plan {
  readonly happening: SimulatedOutcome | 'settled';
  readonly dueAt: Date;
  /** For `settled`: `approve` or the refusal reason. */
  readonly reason: string | null;
  readonly paymentReference: string;
  readonly operationReference: string | null;
}

/** Plans something for a time of the account. */
export async function plan(tx: Tx, account: string, planned: Plan): Promise<void> {
  const { dueAt, happening, reason, paymentReference, operationReference } = planned;
  await tx.query({
    name: 'plan',
    text: `with known as (insert into simulator.accounts (account) values ($1) on conflict do nothing)
      insert into simulator.planned (account, due_at, happening, reason, payment_reference, operation_reference)
      values ($1, $2, $3, $4, $5, $6)`,
    values: [account, dueAt, happening, reason, paymentReference, operationReference],
  });
}

/** Plans what the payment's behaviour brings, counted from `at`, when it was accepted or paid. */
export async function planFollowUps(tx: Tx, payment: Payment, after: 'accepted' | 'paid', at: Date) {
  for (const followUp of BEHAVIOURS[payment.behaviour].followUps ?? []) {
    if (followUp.after !== after || (followUp.method && followUp.method !== payment.method)) continue;
    await planForPayment(tx, payment, followUp.happens, new Date(at.getTime() + followUp.delay_ms));
  }
}

/** The same for something that happens to a payment itself, by no operation. */
export async function planForPayment(tx: Tx, payment: Payment, happening: SimulatedOutcome, dueAt: Date) {
  const { account, reference } = payment;
  await plan(tx, account, {
    happening,
    dueAt,
    reason: null,
    paymentReference: reference,
    operationReference: null,
  });
}

/**
 * Forgets what can no longer happen to a payment that was paid, captured, voided or refused. A row that is being
 * run is left to its runner, which waits for the payment and then finds nothing to do: no deadlock.
 */
export async function forgetPlans(tx: Tx, payment: Payment): Promise<void> {
  await tx.query({
    name: 'forget-plans',
    text: `delete from simulator.planned where account = $1 and position in (
        select position from simulator.planned
        where account = $1 and payment_reference = $2 and happening in ('paid', 'refused', 'expired', 'fraud')
        for update skip locked)`,
    values: [payment.account, payment.reference],
  });
}

/** Forgets the planned end of an operation that was ended by hand. */
export async function forgetSettlement(tx: Tx, account: string, operationReference: string): Promise<void> {
  await tx.query(
    `delete from simulator.planned where account = $1 and position in (
        select position from simulator.planned
        where account = $1 and operation_reference = $2 for update skip locked)`,
    [account, operationReference],
  );
}

/** Takes, and locks, the account's earliest plan that is due at `until` (account's time). */
export async function takeDue(tx: Tx, account: string, until: Date): Promise<Plan | null> {
  const { rows } = await tx.query({
    name: 'take-due',
    text: `delete from simulator.planned where account = $1 and position = (
        select position from simulator.planned where account = $1 and due_at <= $2
        order by due_at, position limit 1 for update)
      returning happening, due_at, reason, payment_reference, operation_reference`,
    values: [account, until],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    happening: row.happening,
    dueAt: row.due_at,
    reason: row.reason,
    paymentReference: row.payment_reference,
    operationReference: row.operation_reference,
  };
}

/** When the account's next plan is due, in its time, or null. */
export async function nextDue(q: Queryable, account: string): Promise<Date | null> {
  const { rows } = await q.query('select min(due_at) as due_at from simulator.planned where account = $1', [
    account,
  ]);
  return rows[0].due_at;
}

/** Accounts that have something due at wall time `now`, each with the time that it is there. */
export async function accountsWithDue(q: Queryable, now: Date): Promise<{ account: string; time: Date }[]> {
  const { rows } = await q.query({
    name: 'accounts-with-due',
    text: `select account, $1::timestamptz + clock_offset_ms * interval '1 millisecond' as time
      from simulator.accounts a
      where exists (select 1 from simulator.planned p where p.account = a.account
        and p.due_at <= $1::timestamptz + a.clock_offset_ms * interval '1 millisecond')
      limit 100`,
    values: [now],
  });
  return rows;
}
