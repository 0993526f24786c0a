import { randomUUID } from 'node:crypto';
import type { PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireNotification } from '../wire.ts';
import type { Queryable, Tx } from './store.ts';

/** What is to be reported; what is left out is null. */
export interface Notice {
  readonly account: string;
  readonly reference: string;
  readonly type: NotificationType;
  readonly method: PaymentMethod | null;
  readonly occurredAt: Date;
  readonly refusal?: PaymentRefusal | null;
  readonly amount_centavos: number | null;
  readonly endToEndId?: string | null;
}

/** A notification that waits to be accepted. */
export interface WaitingNotification {
  readonly account: string;
  readonly id: string;
  readonly body: string;
  /** How often it still has to be accepted; each time with the same id and body. */
  readonly copies: number;
  readonly attempts: number;
}

/** Writes the notification beside the change that it tells, to be sent after the commit; answers its id. */
export async function notify(tx: Tx, notice: Notice, copies = 1): Promise<string> {
  const body: WireNotification = {
    id: randomUUID(),
    account: notice.account,
    reference: notice.reference,
    type: notice.type,
    method: notice.method,
    occurred_at: notice.occurredAt.toISOString(),
    refusal: notice.refusal ?? null,
    amount_centavos: notice.amount_centavos,
    end_to_end_id: notice.endToEndId ?? null,
  };
  await tx.query({
    name: 'notify',
    text: `insert into simulator.notifications (account, id, body, copies, next_attempt_at)
      values ($1, $2, $3, $4, $5)`,
    values: [notice.account, body.id, JSON.stringify(body), copies, new Date()],
  });
  return body.id;
}

/** Leases up to `limit` notifications whose time has come, of one account or of all, until `leasedUntil`. */
export async function claimNotifications(
  q: Queryable,
  account: string | null,
  now: Date,
  leasedUntil: Date,
  limit: number,
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

/** One copy was accepted: the next follows at `next`, after the last one the row goes. */
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

/** It was not accepted: to be tried again at `next`, or given up for null. */
export async function postponeNotification(q: Queryable, sent: WaitingNotification, next: Date | null) {
  await q.query('update simulator.notifications set next_attempt_at = $3 where account = $1 and id = $2', [
    sent.account,
    sent.id,
    next,
  ]);
}

/** How many of the account's notifications still wait: those named, or all that were not refused again and again. */
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
