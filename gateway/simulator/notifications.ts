import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireCardUpdate } from '../card-update.ts';
import type { WireMandate, WireNotification } from '../wire.ts';
import type { WireDispute } from '../wire-disputes.ts';
import type { Queryable, Tx } from './database.ts';

/** What a notification reports. A field that is left out is null. */
export interface NewNotification {
  readonly account: string;
  readonly reference: string;
  readonly type: NotificationType;
  readonly method: PaymentMethod | null;
  readonly occurredAt: Date;
  readonly refusal?: PaymentRefusal | null;
  readonly amount_centavos: number | null;
  readonly endToEndId?: string | null;
  readonly dispute?: WireDispute;
  readonly mandate?: WireMandate;
}

/** A notification that the service has not accepted yet. */
export interface WaitingNotification {
  readonly account: string;
  readonly id: string;
  readonly body: string;
  /** How often it is still to be delivered, each time with the same id and body. */
  readonly copies: number;
  readonly attempts: number;
}

/** Writes a notification in the transaction of the change, to be sent after the commit. Returns its id. */
export function notify(tx: Tx, notification: NewNotification, copies = 1): Promise<string> {
  const body: WireNotification = {
    id: randomUUID(),
    account: notification.account,
    reference: notification.reference,
    type: notification.type,
    method: notification.method,
    occurred_at: notification.occurredAt.toISOString(),
    refusal: notification.refusal ?? null,
    amount_centavos: notification.amount_centavos,
    end_to_end_id: notification.endToEndId ?? null,
    dispute: notification.dispute ?? null,
    mandate: notification.mandate ?? null,
  };
  return send(tx, body, copies);
}

/** Writes the body of a notification. Returns its id. */
export async function send(tx: Tx, body: WireNotification | WireCardUpdate, copies = 1): Promise<string> {
  await tx.query({
    name: 'notify',
    text: `insert into simulator.notifications (account, id, body, copies, next_attempt_at)
      values ($1, $2, $3, $4, $5)`,
    values: [body.account, body.id, JSON.stringify(body), copies, new Date()],
  });
  return body.id;
}

interface NotificationClaim {
  /** Null: of all accounts. */
  readonly account: string | null;
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly limit: number;
}

/** Leases up to `limit` notifications that are due. */
export async function claimNotifications(
  q: Queryable,
  { account, now, leasedUntil, limit }: NotificationClaim,
): Promise<WaitingNotification[]> {
  const { rows } = await q.query<WaitingNotification>({
    name: 'claim-notifications',
    text: `with due as materialized (
        select account, id from simulator.notifications
        where next_attempt_at <= $2 and ($1::text is null or account = $1)
        order by next_attempt_at limit $4 for update skip locked)
      update simulator.notifications n set next_attempt_at = $3, attempts = attempts + 1
      from due where n.account = due.account and n.id = due.id
      returning n.account, n.id, n.body, n.copies, n.attempts`,
    values: [account, now, leasedUntil, limit],
  });
  return rows;
}

/** Records that a copy was accepted. The next copy is sent at `next`; after the last one the row is deleted. */
export async function acceptNotification(q: Queryable, sent: WaitingNotification, next: Date): Promise<void> {
  const [text, values] =
    sent.copies > 1
      ? [
          `update simulator.notifications set copies = copies - 1, attempts = 0, next_attempt_at = $3
            where account = $1 and id = $2`,
          [sent.account, sent.id, next],
        ]
      : [`delete from simulator.notifications where account = $1 and id = $2`, [sent.account, sent.id]];
  await q.query(text as string, values as unknown[]);
}

/** Schedules the next attempt at `next`. Null: no more attempts. */
export async function postponeNotification(q: Queryable, sent: WaitingNotification, next: Date | null) {
  await q.query('update simulator.notifications set next_attempt_at = $3 where account = $1 and id = $2', [
    sent.account,
    sent.id,
    next,
  ]);
}

/**
 * How many of the account's notifications are waiting: those in `ids`, or (null) all that have failed less than 4
 * times.
 */
export async function countWaiting(q: Queryable, account: string, ids: readonly string[] | null) {
  const { rows } = await q.query({
    name: 'count-waiting',
    text: `select count(*)::int as waiting from simulator.notifications
      where account = $1 and next_attempt_at is not null
        and case when $2::text[] is null then attempts < 4 else id = any($2) end`,
    values: [account, ids],
  });
  return rows[0].waiting as number;
}
