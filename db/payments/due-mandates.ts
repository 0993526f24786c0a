import { OPEN_MANDATE_STATES } from '../../domain/payments/mandate-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { DueRows } from '../due-rows.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { textList } from '../engine/text-list.ts';

/** Mandates whose cancellation at the acquirer is due. */
export const DUE_MANDATES: DueRows = { table: 'mandates' };

/** Makes the cancellation of the open mandates of a subscription due at `dueAt`, except of those in `except`. */
export async function setMandatesDue(
  tx: Tx,
  scope: MerchantScope,
  {
    subscriptionId,
    except,
    dueAt,
  }: { readonly subscriptionId: string; readonly except: readonly string[]; readonly dueAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update mandates set due_at = :due_at
      where {scope} and subscription_id = :subscription_id and state in (${textList(OPEN_MANDATE_STATES)})
        and due_at is null and not (id = any(:except))`,
    { subscription_id: subscriptionId, except, due_at: dueAt },
  );
}

/** Makes the cancellation of one mandate due at `dueAt`, unless the acquirer has ended it. */
export async function setMandateDue(
  tx: Tx,
  scope: MerchantScope,
  { id, dueAt }: { readonly id: string; readonly dueAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update mandates set due_at = :due_at where {scope} and id = :id and state not in ('rejected', 'canceled')`,
    { id, due_at: dueAt },
  );
}

/** The cancellation of a mandate is no longer due. Returns false if it was not. */
export async function clearMandateDue(tx: Tx, scope: MerchantScope, id: string): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    'update mandates set due_at = null where {scope} and id = :id and due_at is not null',
    { id },
  );
  return touched === 1;
}

/** A mandate whose cancellation is due, with the payment with which it was requested. */
export interface DueMandate {
  readonly id: string;
  readonly paymentId: string;
}

/** The mandates whose cancellation is due by `until`, the longest due first. */
export async function findDueMandates(
  q: Queryable,
  scope: MerchantScope,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<DueMandate[]> {
  const rows = await q.rows<{ id: string; payment_id: string }>(
    scope,
    'select id, payment_id from mandates where {scope} and due_at <= :until order by due_at, id limit :limit',
    { until, limit },
  );
  return rows.map(({ id, payment_id }) => ({ id, paymentId: payment_id }));
}
