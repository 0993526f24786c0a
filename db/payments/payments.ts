import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { UNDECIDED_STATUSES } from '../../domain/payments/payment-state.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import { textList } from '../engine/text-list.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-row.ts';

/** The payment, locked until the transaction ends. */
export function lockPayment(tx: Tx, scope: MerchantScope, id: string): Promise<Payment | undefined> {
  return lockRows(tx, scope, id);
}

const lockRows = bulk(async (tx: Tx, scope, ids: readonly string[]) => {
  const isOne = ids.length === 1;
  const rows = await tx.rows<PaymentRow>(
    scope,
    isOne
      ? `select ${PAYMENT_COLUMNS} from payments where {scope} and id = :id for update`
      : rowsById(`select ${PAYMENT_COLUMNS} from payments where {scope}`, { lock: 'for update' }),
    isOne ? { id: ids[0] } : { ids },
  );
  const locked = new Map(rows.map((row) => [row.id, toPayment(row)]));
  return ids.map((id) => locked.get(id));
});

/** A payment by its id. To change it, use `lockPayment`. */
export async function findPayment(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and id = :id`,
    { id },
  );
  return row === undefined ? undefined : toPayment(row);
}

/** The one payment of an order. */
export async function findPaymentOfOrder(
  q: Queryable,
  scope: MerchantScope,
  orderId: string,
): Promise<Payment | undefined> {
  const row = await q.maybeOne<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments where {scope} and order_id = :order_id`,
    { order_id: orderId },
  );
  return row === undefined ? undefined : toPayment(row);
}

/**
 * Whether a transfer has paid another payment of the merchant. Two payments that one transfer pays at the same time
 * both get false; the unique index then refuses the second one.
 */
export async function isTransferOfOther(
  tx: Tx,
  scope: MerchantScope,
  transfer: { readonly endToEndId: string; readonly paymentId: string },
): Promise<boolean> {
  const row = await tx.maybeOne(
    scope,
    'select id from payments where {scope} and end_to_end_id = :end_to_end_id and id <> :payment_id',
    { end_to_end_id: transfer.endToEndId, payment_id: transfer.paymentId },
  );
  return row !== undefined;
}

/**
 * The other payments of a payment's billing cycle that have paid it, or that have no known outcome yet. The unique
 * index decides between two that are paid at the same time.
 */
export async function findOthersOfCycle(
  tx: Tx,
  scope: MerchantScope,
  { id, subscriptionId, cycle }: Pick<Payment, 'id' | 'subscriptionId' | 'cycle'>,
): Promise<Payment[]> {
  const rows = await tx.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and subscription_id = :subscription_id and cycle = :cycle and id <> :id
       and (captured_centavos > 0 or status in (${textList(UNDECIDED_STATUSES)}))`,
    { id, subscription_id: subscriptionId, cycle },
  );
  return rows.map(toPayment);
}

/** By id, hash, order code or Pix txid, in this order. */
export async function findPaymentByIdentifier(
  q: Queryable,
  scope: MerchantScope,
  identifier: string,
): Promise<Payment | undefined> {
  if (isCanonicalUuid(identifier)) {
    const byId = await findPayment(q, scope, normalizeUuid(identifier));
    if (byId !== undefined) return byId;
  }
  const rows = await q.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and (hash = :identifier or order_code = :identifier or txid = :identifier)`,
    { identifier },
  );
  const found =
    rows.find((row) => row.hash === identifier) ??
    rows.find((row) => row.order_code === identifier) ??
    rows[0];
  return found === undefined ? undefined : toPayment(found);
}
