import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { WireOperation, WireOutcome } from '../wire.ts';
import type { Queryable, Tx } from './database.ts';
import { PAYMENT_COLUMNS, type Payment, paymentValues } from './payments.ts';

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

const INSERT = `insert into simulator.operations
  (account, reference, kind, status, payment_reference, method, amount_centavos, outcome, requested_at)`;

/** Writes an operation. Returns false, with nothing written, when its reference was used before. */
export async function insertOperation(tx: Tx, operation: Operation, outcome: WireOutcome | null) {
  const { rowCount } = await tx.query({
    name: 'insert-operation',
    text: `${INSERT} values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    values: operationValues(operation, outcome),
  });
  return rowCount === 1;
}

export interface InsertPaymentOptions {
  /**
   * Whether the outcome comes from a script. Otherwise nothing is written if a script has a step for this customer or
   * card.
   */
  readonly isScripted: boolean;
  /** When the charge expires, in the account's time. Null: no expiry is scheduled here. */
  readonly expiresAt: Date | null;
}

/**
 * Writes an operation and the payment that it creates, in one statement. Returns false, with nothing written, when the
 * reference was used before or, unless the outcome is scripted, when a script has a step for this customer or card.
 */
export async function insertPayment(
  q: Queryable,
  operation: Operation,
  outcome: WireOutcome,
  payment: Payment,
  { isScripted, expiresAt }: InsertPaymentOptions,
): Promise<boolean> {
  const { rowCount } = await q.query({
    name: 'insert-payment',
    text: `with operation as (
        ${INSERT}
        select $1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::bigint, $8::jsonb, $9::timestamptz
        where $10::boolean or not exists (
          select 1 from simulator.script_steps
          where account = $1 and operation = 'authorize' and (customer_id = $21 or card_id = $22))
        on conflict do nothing returning 1),
      expiring as (select from operation where $11::timestamptz is not null),
      known as (insert into simulator.accounts (account) select $1 from expiring on conflict do nothing),
      scheduled as (
        insert into simulator.scheduled_events (account, due_at, event, payment_reference)
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
