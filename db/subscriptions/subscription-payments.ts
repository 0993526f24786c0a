import type { Payment } from '../../domain/payments/payment.ts';
import { OPEN_STATUSES } from '../../domain/payments/payment-state.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import { textList } from '../engine/text-list.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-row.ts';

/** Payments by their ids, such as the latest ones of several subscriptions. */
export async function findPayments(
  q: Queryable,
  scope: MerchantScope,
  ids: readonly string[],
): Promise<Map<string, Payment>> {
  if (ids.length === 0) return new Map();
  const rows = await q.rows<PaymentRow>(
    scope,
    rowsById(`select ${PAYMENT_COLUMNS} from payments where {scope}`),
    { ids },
  );
  return new Map(rows.map((row) => [row.id, toPayment(row)]));
}

/** Returns those of `ids` that charge a cycle, and are neither paid nor ended. */
export async function findOpenPayments(
  q: Queryable,
  scope: MerchantScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await q.rows<{ id: string }>(
    scope,
    rowsById(
      `select id from payments where {scope} and cycle is not null and status in (${textList(OPEN_STATUSES)})`,
    ),
    { ids },
  );
  return new Set(rows.map(({ id }) => id));
}

/** All payments of some cycles of a subscription, oldest first. */
export async function findPaymentsOfCycles(
  q: Queryable,
  scope: MerchantScope,
  subscriptionId: string,
  cycles: readonly number[],
): Promise<Payment[]> {
  if (cycles.length === 0) return [];
  const rows = await q.rows<PaymentRow>(
    scope,
    `select ${PAYMENT_COLUMNS} from payments
      where {scope} and subscription_id = :subscription_id and cycle = any(:cycles) order by created_at, id`,
    { subscription_id: subscriptionId, cycles },
  );
  return rows.map(toPayment);
}
