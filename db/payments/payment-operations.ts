import {
  CONCURRENT_KINDS,
  MODIFICATION_KINDS,
  type OperationKind,
  type OperationState,
  type PaymentOperation,
} from '../../domain/payments/payment-operation.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import { bulk, eachOnce } from '../engine/bulk.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';
import { rowList } from '../engine/row-list.ts';
import { rowsById } from '../engine/rows-by-id.ts';
import { textList } from '../engine/text-list.ts';

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

const INSERTED_TYPES = {
  id: 'uuid',
  payment_id: 'uuid',
  payment_amount_centavos: 'bigint',
  refund_id: 'uuid',
  kind: 'text',
  amount_centavos: 'bigint',
  reference: 'text',
  check_at: 'timestamptz',
  created_at: 'timestamptz',
} as const;
const INSERTED = Object.keys(INSERTED_TYPES);

/**
 * Writes a new operation. Undefined when the payment has another open operation (a capture and a cancellation that
 * race), or when an earlier run of the same request has written this id.
 */
export function insertOperation(
  tx: Tx,
  scope: MerchantScope,
  operation: NewOperation,
): Promise<PaymentOperation | undefined> {
  return insertRows(tx, scope, operation);
}

/**
 * One statement for each kind, because those that create payments are written in the tick of their payments, after
 * them. In one statement with others, they could be written before.
 */
const insertRows = bulk(
  async (tx: Tx, scope, operations: readonly NewOperation[]) => {
    const rows = rowList(
      'n',
      INSERTED_TYPES,
      operations.map((operation) => ({
        id: operation.id,
        payment_id: operation.paymentId,
        payment_amount_centavos: operation.paymentAmount_centavos,
        refund_id: operation.refundId,
        kind: operation.kind,
        amount_centavos: operation.amount_centavos,
        reference: operation.reference,
        check_at: operation.checkAt,
        created_at: operation.createdAt,
      })),
    );
    const written = await tx.rows<OperationRow>(
      scope,
      `insert into payment_operations (slot, merchant_id, ${INSERTED.join(', ')}, state)
     select :slot, :merchant_id, ${INSERTED.map((column) => `n.${column}`).join(', ')}, 'pending' from ${rows.sql}
     on conflict do nothing returning ${OPERATION_COLUMNS}`,
      rows.params,
    );
    return operations.map(({ id }) => operationWithId(written, id));
  },
  ({ kind }) => kind,
);

/** An operation by its id, settled or not. */
export function findOperation(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<PaymentOperation | undefined> {
  return findRows(q, scope, id);
}

const findRows = bulk(async (q: Queryable, scope, ids: readonly string[]) => {
  const isOne = ids.length === 1;
  const found = await q.rows<OperationRow>(
    scope,
    isOne
      ? `select ${OPERATION_COLUMNS} from payment_operations where {scope} and id = :id`
      : rowsById(`select ${OPERATION_COLUMNS} from payment_operations where {scope}`),
    isOne ? { id: ids[0] } : { ids },
  );
  return ids.map((id) => operationWithId(found, id));
});

function operationWithId(rows: readonly OperationRow[], id: string): PaymentOperation | undefined {
  const row = rows.find((each) => each.id === id);
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
      where {scope} and payment_id = :payment_id and kind not in (${textList(MODIFICATION_KINDS)})`,
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
      where {scope} and payment_id = :payment_id and state = 'pending' and kind not in (${textList(CONCURRENT_KINDS)})`,
    { payment_id: paymentId },
  );
  return row === undefined ? undefined : toOperation(row);
}

/** An operation that the acquirer has refused, or never received. */
export interface RefusedBefore {
  readonly requestedAt: Date;
  readonly refusalCode: string | null;
}

/** The other operations of the same kind that the acquirer has refused, or never received, for the same payment. */
export async function refusedBefore(
  q: Queryable,
  scope: MerchantScope,
  { id, paymentId, kind }: PaymentOperation,
): Promise<RefusedBefore[]> {
  const rows = await q.rows<{ created_at: Date; refusal_code: string | null }>(
    scope,
    `select created_at, refusal_code from payment_operations
      where {scope} and payment_id = :payment_id and kind = :kind and state = 'refused' and id <> :id`,
    { id, payment_id: paymentId, kind },
  );
  return rows.map((row) => ({ requestedAt: row.created_at, refusalCode: row.refusal_code }));
}

/** Whether the acquirer has refused another operation of the same kind, for the same payment and by the same code. */
export async function wasRefusedBefore(
  q: Queryable,
  scope: MerchantScope,
  { id, paymentId, kind }: PaymentOperation,
  refusalCode: string,
): Promise<boolean> {
  const { exists } = await q.one<{ exists: boolean }>(
    scope,
    `select exists (
       select from payment_operations
        where {scope} and payment_id = :payment_id and kind = :kind and state = 'refused'
          and refusal_code = :refusal_code and id <> :id)`,
    { id, payment_id: paymentId, kind, refusal_code: refusalCode },
  );
  return exists;
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

/** A move of an operation, with its result. `at` is wall time. */
type SettledOperation = RowMove<OperationState> & { id: string; refusalCode: string | null; at: Date };

/**
 * Makes a move of an operation and writes its result. False when it was not in `from`. This is the only statement that
 * changes the state of an operation.
 */
export function moveOperationRow(tx: Tx, scope: MerchantScope, settled: SettledOperation): Promise<boolean> {
  return moveRows(tx, scope, settled);
}

const moveRows = bulk(
  async (tx: Tx, scope, settled: readonly SettledOperation[]) => {
    const rows = rowList(
      'n',
      { id: 'uuid', refusal_code: 'text', at: 'timestamptz' },
      settled.map(({ id, refusalCode, at }) => ({ id, refusal_code: refusalCode, at })),
      { isPlannedForOne: true },
    );
    const { from, to } = settled[0]!;
    const moved = await tx.rows<{ id: string }>(
      scope,
      `with settled as (
         update payment_operations o
            set state = :to, refusal_code = n.refusal_code, settled_at = n.at, check_at = null from ${rows.sql}
          where {scope:o} and o.id = n.id and o.state = any(:from)
         returning o.slot, o.merchant_id, o.id, o.state, o.refund_id, o.refusal_code, o.settled_at)
       insert into payment_operation_results (slot, merchant_id, operation_id, state, refund_status, refusal_code,
         settled_at)
       select slot, merchant_id, id, state,
              case when refund_id is null then null when state = 'approved' then 'succeeded' else 'denied' end,
              refusal_code, settled_at
         from settled returning operation_id as id`,
      { ...rows.params, from, to },
    );
    const ids = settled.map(({ id }) => id);
    return eachOnce(
      ids,
      moved.map(({ id }) => id),
    );
  },
  ({ from, to }) => `${from} ${to}`,
);

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
