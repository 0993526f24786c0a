import type { Refund, RefundStatus } from '../../domain/payments/refund.ts';
import type { RefundDenial } from '../../domain/payments/refusal-reasons.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface RefundRow {
  id: string;
  payment_id: string;
  amount_centavos: number;
  status: RefundStatus;
  reference: string;
  reason: string | null;
  metadata: Record<string, string>;
  denial_code: string | null;
  denial_message: string | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS =
  'id, payment_id, amount_centavos, status, reference, reason, metadata, denial_code, denial_message, created_at, updated_at';

/** Writes a refund `in_progress`. Throws a unique violation when its id is taken. */
export async function insertRefund(
  tx: Tx,
  scope: MerchantScope,
  refund: Omit<Refund, 'status' | 'denial' | 'updatedAt'>,
): Promise<void> {
  await tx.execute(
    scope,
    `insert into refunds (slot, merchant_id, id, payment_id, amount_centavos, status, reference, reason, metadata,
       created_at, updated_at)
     values (:slot, :merchant_id, :id, :payment_id, :amount_centavos, 'in_progress', :reference, :reason, :metadata,
       :at, :at)`,
    {
      id: refund.id,
      payment_id: refund.paymentId,
      amount_centavos: refund.amount_centavos,
      reference: refund.reference,
      reason: refund.reason,
      metadata: JSON.stringify(refund.metadata),
      at: refund.createdAt,
    },
  );
}

/** A refund by its id. */
export async function findRefund(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Refund | undefined> {
  const row = await q.maybeOne<RefundRow>(
    scope,
    `select ${COLUMNS} from refunds where {scope} and id = :id`,
    { id },
  );
  return row === undefined ? undefined : toRefund(row);
}

/**
 * Makes a move of a refund; false when it was not in `from`. The only statement that changes the status of a refund.
 */
export async function moveRefundRow(
  tx: Tx,
  scope: MerchantScope,
  moved: RowMove<RefundStatus> & { id: string; denial: RefundDenial | null; at: Date },
): Promise<boolean> {
  const { id, from, to, denial, at } = moved;
  const touched = await tx.execute(
    scope,
    `update refunds set status = :to, denial_code = :denial_code, denial_message = :denial_message, updated_at = :at
      where {scope} and id = :id and status = any(:from)`,
    { id, from, to, denial_code: denial?.code ?? null, denial_message: denial?.message ?? null, at },
  );
  return touched === 1;
}

/** How many refunds of a payment were not denied, up to `limit`. */
export async function countRefunds(
  q: Queryable,
  scope: MerchantScope,
  paymentId: string,
  limit: number,
): Promise<number> {
  const { count } = await q.one<{ count: number }>(
    scope,
    `select count(*) from (select from refunds where {scope} and payment_id = :payment_id and status <> 'denied'
        limit :limit) counted`,
    { payment_id: paymentId, limit },
  );
  return count;
}

/** The newest refund of a payment that is in progress. */
export async function findOpenRefund(
  q: Queryable,
  scope: MerchantScope,
  paymentId: string,
): Promise<Refund | undefined> {
  const row = await q.maybeOne<RefundRow>(
    scope,
    `select ${COLUMNS} from refunds where {scope} and payment_id = :payment_id and status = 'in_progress'
      order by created_at desc, id desc limit 1`,
    { payment_id: paymentId },
  );
  return row === undefined ? undefined : toRefund(row);
}

/** All refunds of some payments, the oldest first. */
export async function refundsOfPayments(
  q: Queryable,
  scope: MerchantScope,
  paymentIds: readonly string[],
): Promise<Refund[]> {
  const rows = await q.rows<RefundRow>(
    scope,
    `select ${COLUMNS} from refunds where {scope} and payment_id = any(:payment_ids) order by created_at, id`,
    { payment_ids: paymentIds },
  );
  return rows.map(toRefund);
}

const REFUNDS = defineList<RefundRow, { readonly paymentId: string }>({
  columns: COLUMNS,
  from: 'refunds',
  filters: { paymentId: equals('payment_id') },
});

/** Refunds of a payment, newest first. */
export async function listRefundsOfPayment(
  q: Queryable,
  scope: MerchantScope,
  paymentId: string,
  page: PageRequest,
): Promise<Page<Refund>> {
  return mapPage(await fetchPage(q, scope, REFUNDS, { paymentId }, page), toRefund);
}

function toRefund(row: RefundRow): Refund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    amount_centavos: row.amount_centavos,
    status: row.status,
    reference: row.reference,
    reason: row.reason,
    metadata: row.metadata,
    denial: row.denial_code === null ? null : { code: row.denial_code, message: row.denial_message! },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
