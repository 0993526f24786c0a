import type {
  OperationKind,
  OperationState,
  PaymentOperation,
} from '../../domain/payments/payment-operation.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** A row of table payment_operations as `OPERATION_COLUMNS` reads it. */
export interface OperationRow {
  slot: number;
  merchant_id: string;
  id: string;
  payment_id: string;
  refund_id: string | null;
  kind: OperationKind;
  amount_centavos: number;
  reference: string;
  state: OperationState;
  refusal_code: string | null;
  attempts: number;
  created_at: Date;
}

export const OPERATION_COLUMNS =
  'slot, merchant_id, id, payment_id, refund_id, kind, amount_centavos, reference, state, refusal_code, attempts, created_at';

export type NewOperation = Pick<
  PaymentOperation,
  'id' | 'paymentId' | 'refundId' | 'kind' | 'amount_centavos' | 'reference' | 'createdAt'
> & {
  /** The amount of the payment, which no operation exceeds. */
  readonly paymentAmount_centavos: number;
  readonly checkAt: Date;
};

/**
 * Writes a new operation. Undefined when the payment has another open operation (a capture and a cancellation that race),
 * or when an earlier run of the same request has written this id.
 */
export async function insertOperation(
  tx: Tx,
  scope: MerchantScope,
  operation: NewOperation,
): Promise<PaymentOperation | undefined> {
  const row = await tx.maybeOne<OperationRow>(
    scope,
    `insert into payment_operations (slot, merchant_id, id, payment_id, payment_amount_centavos, refund_id, kind,
       amount_centavos, reference, state, check_at, created_at)
     values (:slot, :merchant_id, :id, :payment_id, :payment_amount_centavos, :refund_id, :kind,
       :amount_centavos, :reference, 'pending', :check_at, :created_at)
     on conflict do nothing returning ${OPERATION_COLUMNS}`,
    {
      id: operation.id,
      payment_id: operation.paymentId,
      payment_amount_centavos: operation.paymentAmount_centavos,
      refund_id: operation.refundId,
      kind: operation.kind,
      amount_centavos: operation.amount_centavos,
      reference: operation.reference,
      check_at: operation.checkAt,
      created_at: operation.createdAt,
    },
  );
  return row === undefined ? undefined : toOperation(row);
}

/** An operation by its id, settled or not. */
export async function findOperation(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<PaymentOperation | undefined> {
  const row = await q.maybeOne<OperationRow>(
    scope,
    `select ${OPERATION_COLUMNS} from payment_operations where {scope} and id = :id`,
    { id },
  );
  return row === undefined ? undefined : toOperation(row);
}

/** The operation that began a payment: its authorization or charge. */
export async function findFirstOperation(
  q: Queryable,
  scope: MerchantScope,
  paymentId: string,
): Promise<PaymentOperation | undefined> {
  const row = await q.maybeOne<OperationRow>(
    scope,
    `select ${OPERATION_COLUMNS} from payment_operations
      where {scope} and payment_id = :payment_id and kind not in ('capture', 'cancel', 'refund', 'cancel_mandate')`,
    { payment_id: paymentId },
  );
  return row === undefined ? undefined : toOperation(row);
}

/** The open operation that can change the status of a payment, other than a refund, if there is one. */
export async function findOpenOperation(
  q: Queryable,
  scope: MerchantScope,
  paymentId: string,
): Promise<PaymentOperation | undefined> {
  const row = await q.maybeOne<OperationRow>(
    scope,
    `select ${OPERATION_COLUMNS} from payment_operations
      where {scope} and payment_id = :payment_id and state = 'pending' and kind not in ('refund', 'cancel_mandate')`,
    { payment_id: paymentId },
  );
  return row === undefined ? undefined : toOperation(row);
}

/** An operation by its reference, with its merchant. Reads one slot. */
export async function findOperationByReference(
  db: Database,
  slot: number,
  reference: string,
): Promise<{ scope: MerchantScope; operation: PaymentOperation } | undefined> {
  const [row] = await db.slotRows<OperationRow>(
    slot,
    `select ${OPERATION_COLUMNS} from payment_operations where {slot} and reference = :reference`,
    { reference },
  );
  if (row === undefined) return undefined;
  return { scope: { slot: row.slot, merchantId: row.merchant_id }, operation: toOperation(row) };
}

/**
 * Makes a move of an operation and writes its result. False when it was not in `from`. This is the only statement that
 * changes the state of an operation.
 */
export async function moveOperationRow(
  tx: Tx,
  scope: MerchantScope,
  settled: RowMove<OperationState> & { id: string; refusalCode: string | null; at: Date },
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `with settled as (
       update payment_operations set state = :to, refusal_code = :refusal_code, settled_at = :at, check_at = null
        where {scope} and id = :id and state = any(:from)
       returning slot, merchant_id, id, state, refund_id, refusal_code, settled_at)
     insert into payment_operation_results (slot, merchant_id, operation_id, state, refund_status, refusal_code,
       settled_at)
     select slot, merchant_id, id, state,
            case when refund_id is null then null when state = 'approved' then 'succeeded' else 'denied' end,
            refusal_code, settled_at
       from settled`,
    { id: settled.id, from: settled.from, to: settled.to, refusal_code: settled.refusalCode, at: settled.at },
  );
  return touched === 1;
}

/** A row of `OPERATION_COLUMNS` as an operation. */
export function toOperation(row: OperationRow): PaymentOperation {
  return {
    id: row.id,
    paymentId: row.payment_id,
    refundId: row.refund_id,
    kind: row.kind,
    amount_centavos: row.amount_centavos,
    reference: row.reference,
    state: row.state,
    refusalCode: row.refusal_code,
    attempts: row.attempts,
    createdAt: row.created_at,
  };
}
