import type { PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { WireOperation, WireOutcome } from '../wire.ts';
import { PAYMENT_COLUMNS, type Payment, paymentValues } from './payments.ts';
import type { Queryable, Tx } from './store.ts';

export type OperationKind = WireOperation | 'network_token';

/** One call of ours, as it was asked. */
export interface Operation {
  readonly account: string;
  readonly reference: string;
  readonly kind: OperationKind;
  /** The payment that it is about; null where it makes one, or none. */
  readonly paymentReference: string | null;
  /** Null for a network token, like the amount. */
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly requestedAt: Date;
}

/** The operation as the books hold it. `lost` was swallowed on purpose, `sealed` is refused whenever it comes. */
export interface BookedOperation {
  readonly kind: string;
  readonly status: 'booked' | 'lost' | 'sealed';
  readonly paymentReference: string | null;
  readonly method: PaymentMethod | null;
  readonly amount_centavos: number | null;
  readonly outcome: WireOutcome | null;
  /** What the first call was told. */
  readonly firstAnswer: WireOutcome | null;
}

const INSERT = `insert into simulator.operations
  (account, reference, kind, status, payment_reference, method, amount_centavos, outcome, requested_at)`;

/** Books the operation under its reference; false, and nothing done, when the reference was seen before. */
export async function bookOperation(tx: Tx, operation: Operation, outcome: WireOutcome | null) {
  const { rowCount } = await tx.query({
    name: 'book-operation',
    text: `${INSERT} values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    values: operationValues(operation, outcome),
  });
  return rowCount === 1;
}

export interface BookPaymentOptions {
  /** Whether the outcome is a script's. Otherwise nothing is booked while a script waits for this customer or card. */
  readonly isScripted: boolean;
  /** When the charge expires by itself, in the account's time; null where that is not planned here. */
  readonly expiresAt: Date | null;
}

/**
 * Books an operation and the payment that it makes, in one statement. False, and nothing done, when the reference
 * was seen before or, unless it is scripted, when a script waits for this customer or card.
 */
export async function bookPayment(
  q: Queryable,
  operation: Operation,
  outcome: WireOutcome,
  payment: Payment,
  { isScripted, expiresAt }: BookPaymentOptions,
): Promise<boolean> {
  const { rowCount } = await q.query({
    name: 'book-payment',
    text: `with operation as (
        ${INSERT}
        select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::jsonb, $9::timestamptz
        where $10::boolean or not exists (
          select 1 from simulator.script_steps
          where account = $1 and operation = 'authorize' and (customer_id = $21 or card_id = $22))
        on conflict do nothing returning 1),
      expiring as (select from operation where $11::timestamptz is not null),
      known as (insert into simulator.accounts (account) select $1 from expiring on conflict do nothing),
      planned as (
        insert into simulator.planned (account, due_at, happening, payment_reference)
        select $1, $11, 'expired', $2 from expiring)
      insert into simulator.payments (${PAYMENT_COLUMNS})
      select ${paymentParameters(12)} from operation`,
    values: [...operationValues(operation, outcome), isScripted, expiresAt, ...paymentValues(payment)],
  });
  return rowCount === 1;
}

function operationValues(operation: Operation, outcome: WireOutcome | null): unknown[] {
  return [
    operation.account,
    operation.reference,
    operation.kind,
    outcome ? 'booked' : 'lost',
    operation.paymentReference,
    operation.method,
    operation.amount_centavos,
    outcome && JSON.stringify(outcome),
    operation.requestedAt,
  ];
}

function paymentParameters(first: number): string {
  return PAYMENT_COLUMNS.split(',')
    .map((_, i) => `$${first + i}`)
    .join(', ');
}

/** What was done under a reference, or null when it never came. */
export async function readOperation(
  q: Queryable,
  account: string,
  reference: string,
): Promise<BookedOperation | null> {
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

/** Refuses the reference from now on, unless it was booked before; the answer says which. */
export async function sealOperation(q: Queryable, account: string, reference: string): Promise<void> {
  await q.query({
    name: 'seal-operation',
    text: `insert into simulator.operations as o (account, reference, kind, status) values ($1, $2, 'sealed', 'sealed')
      on conflict (account, reference) do update set status = 'sealed' where o.status = 'lost'`,
    values: [account, reference],
  });
}

/** Gives the operation a new outcome, and keeps what was told first. Asks for the payment's lock to be held. */
export async function settleOperation(tx: Tx, account: string, reference: string, outcome: WireOutcome) {
  await tx.query({
    name: 'settle-operation',
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
