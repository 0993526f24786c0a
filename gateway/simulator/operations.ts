import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { WireOperation, WireOutcome } from '../wire.ts';
import type { Queryable, Tx } from './database.ts';
import { PAYMENT_COLUMNS, type Payment, paymentRow } from './payments.ts';

export type OperationKind = WireOperation | 'network_token' | 'wallet_credential' | 'dispute_evidence';

/** A request of the service. */
export interface Operation {
  readonly account: string;
  readonly reference: string;
  readonly kind: OperationKind;
  /** The payment that it changes. Null when it creates one, or for a network token or a wallet's credential. */
  readonly paymentReference: string | null;
  /** Null for a network token, a wallet's credential and evidence, as is the amount. */
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly requestedAt: Date;
}

/**
 * The operation as it is stored. `booked`: it has an outcome. `lost`: the request was lost on purpose. `sealed`: the
 * reference is refused.
 */
export interface StoredOperation {
  readonly kind: string;
  readonly status: 'booked' | 'lost' | 'sealed';
  readonly paymentReference: string | null;
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly outcome: WireOutcome | null;
  /** The answer to the first call. */
  readonly firstAnswer: WireOutcome | null;
}

const COLUMN_NAMES = [
  'account',
  'reference',
  'kind',
  'status',
  'payment_reference',
  'method',
  'amount_centavos',
  'outcome',
  'requested_at',
] as const;
const COLUMNS = COLUMN_NAMES.join(', ');

/** Writes an operation. Returns false, with nothing written, when its reference was used before. */
export async function insertOperation(tx: Tx, operation: Operation, outcome: WireOutcome | null) {
  const { rowCount } = await tx.query({
    name: 'insert-operation',
    text: `insert into simulator.operations (${COLUMNS})
      select ${COLUMNS} from json_populate_record(null::simulator.operations, $1) on conflict do nothing`,
    values: [JSON.stringify(operationRow(operation, outcome))],
  });
  return rowCount === 1;
}

/** A payment, and the operation that creates it. */
export interface NewPayment {
  readonly operation: Operation;
  readonly outcome: WireOutcome;
  readonly payment: Payment;
}

/**
 * Writes payments and the operations that create them, in one statement. Returns for each, in their order, whether it
 * is written: nothing is when its reference was used before. Postgres refuses the statement if two payments have the
 * same reference. `isWholeRequest`: nothing else is written for these requests. Then the expiry of a charge is
 * scheduled too, and nothing is written of a payment for whose customer or card a script has a step.
 */
export async function insertPayments(
  q: Queryable,
  created: readonly NewPayment[],
  { isWholeRequest }: { readonly isWholeRequest: boolean },
): Promise<boolean[]> {
  const payments = created.map(({ payment }) => paymentRow(payment));
  const operations = created.map(({ operation, outcome }) => operationRow(operation, outcome));
  // In the order of their keys, so that two processes that get the same requests do not block each other.
  const { rows } = await q.query({
    // Two statements, because Postgres would plan one with a parameter each time.
    name: isWholeRequest ? 'insert-payments-of-requests' : 'insert-payments',
    text: `with asked as materialized (select * from json_populate_recordset(null::simulator.payments, $1)),
      payment as materialized (
        select * from asked where not ${isWholeRequest} or (account, reference) not in (
          select p.account, p.reference from asked p cross join lateral (
            select from simulator.script_steps s
            where s.account = p.account and s.operation = 'authorize'
              and (s.customer_id = p.customer_id or s.card_id = p.card_id)
            limit 1) scripted)),
      operation as (
        insert into simulator.operations (${COLUMNS})
        select ${COLUMNS} from json_populate_recordset(null::simulator.operations, $2)
        where (account, reference) in (select account, reference from payment)
        order by account, reference
        on conflict do nothing returning account, reference),
      expiring as (
        select account, reference, expires_at from payment join operation using (account, reference)
        where ${isWholeRequest} and expires_at is not null and state <> 'refused'),
      known as (
        insert into simulator.accounts (account) select account from expiring group by account order by account
        on conflict do nothing),
      scheduled as (
        insert into simulator.scheduled_events (account, due_at, event, payment_reference)
        select account, expires_at, 'expired', reference from expiring)
      insert into simulator.payments (${PAYMENT_COLUMNS})
      select ${PAYMENT_COLUMNS} from payment join operation using (account, reference)
      returning account, reference`,
    values: [JSON.stringify(payments), JSON.stringify(operations)],
  });
  const keyOf = ({ account, reference }: Pick<Payment, 'account' | 'reference'>) => `${account} ${reference}`;
  const written = new Set(rows.map(keyOf));
  return created.map(({ payment }) => written.has(keyOf(payment)));
}

/** The same in a transaction, which looks at the scripts and schedules the events of the payment itself. */
export async function insertPayment(tx: Tx, created: NewPayment): Promise<boolean> {
  return (await insertPayments(tx, [created], { isWholeRequest: false }))[0]!;
}

/** A new operation as a row of `simulator.operations`, in JSON. */
function operationRow(
  operation: Operation,
  outcome: WireOutcome | null,
): Record<(typeof COLUMN_NAMES)[number], unknown> {
  return {
    account: operation.account,
    reference: operation.reference,
    kind: operation.kind,
    status: outcome ? 'booked' : 'lost',
    payment_reference: operation.paymentReference,
    method: operation.method,
    amount_centavos: operation.amount_centavos,
    outcome,
    requested_at: operation.requestedAt,
  };
}

/** The operation with a reference, or null. */
export async function readOperation(
  q: Queryable,
  account: string,
  reference: string,
): Promise<StoredOperation | null> {
  const { rows } = await q.query({
    name: 'read-operation',
    text: `select kind, status, payment_reference, method, amount_centavos, outcome,
      coalesce(first_answer, outcome) as first_answer
      from simulator.operations where account = $1 and reference = $2`,
    values: [account, reference],
  });
  const row = rows[0];
  if (!row) return null;
  return {
    kind: row.kind,
    status: row.status,
    paymentReference: row.payment_reference,
    method: row.method,
    amount_centavos: row.amount_centavos === null ? null : Number(row.amount_centavos),
    outcome: row.outcome,
    firstAnswer: row.first_answer,
  };
}

/** Refuses the reference from now on, unless its operation has an outcome. */
export async function sealOperation(q: Queryable, account: string, reference: string): Promise<void> {
  await q.query({
    name: 'seal-operation',
    text: `insert into simulator.operations as o (account, reference, kind, status) values ($1, $2, 'sealed', 'sealed')
      on conflict (account, reference) do update set status = 'sealed' where o.status = 'lost'`,
    values: [account, reference],
  });
}

/** Gives the operation a new outcome; its first answer stays. The caller holds the lock of the payment. */
export async function writeOutcome(tx: Tx, account: string, reference: string, outcome: WireOutcome) {
  await tx.query({
    name: 'write-outcome',
    text: `update simulator.operations set first_answer = coalesce(first_answer, outcome), outcome = $3
      where account = $1 and reference = $2`,
    values: [account, reference, JSON.stringify(outcome)],
  });
}

/** The reference of the payment's operation of this kind that is still pending, or null. */
export async function pendingOperation(
  tx: Tx,
  account: string,
  paymentReference: string,
  kind: OperationKind,
): Promise<string | null> {
  const { rows } = await tx.query({
    name: 'pending-operation',
    text: `select reference from simulator.operations where account = $1 and payment_reference = $2 and kind = $3
      and outcome ->> 'status' = 'pending' order by requested_at limit 1`,
    values: [account, paymentReference, kind],
  });
  return rows[0]?.reference ?? null;
}
