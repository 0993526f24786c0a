import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { BehaviourName } from './behaviours.ts';
import type { Queryable, Tx } from './database.ts';
import type { Mandate } from './mandate-state.ts';

/** An authorization or a charge as the acquirer stores it. */
export interface Payment {
  readonly account: string;
  readonly reference: string;
  readonly method: PaymentMethod;
  /**
   * An authorization is pending, authorized, captured, voided or refused. A charge is pending, open, captured (paid),
   * voided, expired or refused. A mandate without a charge is open, authorized, voided, expired or refused.
   */
  readonly state: PaymentState;
  readonly amount_centavos: number;
  readonly captured_centavos: number;
  /** Refunded, including refunds in progress. */
  readonly refunded_centavos: number;
  /** Whether the authorization captures the money too. */
  readonly capture: boolean;
  readonly behaviour: BehaviourName;
  readonly customerId: string;
  readonly card: PaymentCard | null;
  readonly txid: string | null;
  /** The due date of a boleto, `YYYY-MM-DD`. */
  readonly dueDate: string | null;
  readonly expiresAt: Date | null;
  readonly endToEndId: string | null;
  /** The mandate that was requested with the payment. */
  readonly mandate: Mandate | null;
  /** The reference of the payment with which the mandate of a charge was requested. */
  readonly mandateReference: string | null;
  /**
   * By which the card is charged again, once the payment is approved: the credential of a wallet, or a network token.
   * Null if none was requested.
   */
  readonly credential: string | null;
  /** The state of its last dispute. */
  readonly chargeback: 'none' | 'requested' | 'dispute' | 'won' | 'lost';
  /** The id of that dispute. Null without one, and of one from before ids. */
  readonly disputeId: string | null;
  /** Why a charge was refused. */
  readonly refusal: PaymentRefusal | null;
  /**
   * When a charge was refused, canceled or expired, or a mandate without a charge was authorized. Account's time, as is
   * `capturedAt`.
   */
  readonly endedAt: Date | null;
  readonly capturedAt: Date | null;
  readonly createdAt: Date;
}

export interface PaymentCard {
  readonly id: string;
  readonly first6: string;
  readonly last4: string;
  /** The last month in which it is good, `YYYY-MM`. Null for the card in a wallet, which does not expire. */
  readonly goodThrough: string | null;
}

export type PaymentState = 'pending' | 'open' | 'authorized' | 'captured' | 'voided' | 'expired' | 'refused';

export type PaymentChange = Partial<
  Pick<
    Payment,
    | 'state'
    | 'captured_centavos'
    | 'capturedAt'
    | 'refunded_centavos'
    | 'chargeback'
    | 'disputeId'
    | 'endToEndId'
    | 'mandate'
    | 'refusal'
    | 'endedAt'
    | 'card'
  >
>;

const COLUMN_NAMES = [
  'account',
  'reference',
  'method',
  'state',
  'amount_centavos',
  'captured_centavos',
  'refunded_centavos',
  'capture',
  'behaviour',
  'customer_id',
  'card_id',
  'card_first_6',
  'card_last_4',
  'txid',
  'due_date',
  'expires_at',
  'end_to_end_id',
  'chargeback',
  'captured_at',
  'created_at',
  'mandate',
  'mandate_reference',
  'credential',
  'refusal',
  'ended_at',
  'card_good_through',
  'dispute_id',
] as const;
const COLUMNS = COLUMN_NAMES.join(', ');

/** The payment, locked until the transaction ends: operations on one payment happen one after another. */
export async function lockPayment(tx: Tx, account: string, reference: string): Promise<Payment | null> {
  const { rows } = await tx.query({
    name: 'lock-payment',
    text: `select ${COLUMNS} from simulator.payments where account = $1 and reference = $2 for update`,
    values: [account, reference],
  });
  return rows[0] ? fromRow(rows[0]) : null;
}

/** The payment with a reference, as it is now; null if the account has none. */
export async function findPayment(q: Queryable, account: string, reference: string): Promise<Payment | null> {
  const { rows } = await q.query({
    name: 'find-payment',
    text: `select ${COLUMNS} from simulator.payments where account = $1 and reference = $2`,
    values: [account, reference],
  });
  return rows[0] ? fromRow(rows[0]) : null;
}

/** By which a card is charged again, of one account. */
export interface CredentialOfAccount {
  readonly account: string;
  readonly credential: string;
}

/** The card of a credential, and how it behaves. */
export type CredentialCard = Pick<Payment, 'card' | 'behaviour'>;

/** The cards of credentials, in their order. Null if the account has no such credential. */
export async function findCredentials(
  q: Queryable,
  wanted: readonly CredentialOfAccount[],
): Promise<(CredentialCard | null)[]> {
  const { rows } = await q.query({
    name: 'find-credentials',
    // Because of the limit, Postgres does not plan the statement each time.
    text: `select wanted.number, p.*
      from (select * from unnest($1::text[], $2::text[]) with ordinality u (account, credential, number)
        limit cardinality($1::text[])) wanted
      cross join lateral (
        select behaviour, card_id, card_first_6, card_last_4, card_good_through from simulator.payments
        where account = wanted.account and credential = wanted.credential and state not in ('pending', 'refused')
        offset 0) p`,
    values: [wanted.map(({ account }) => account), wanted.map(({ credential }) => credential)],
  });
  const byNumber = new Map(rows.map((row) => [Number(row.number), row]));
  return wanted.map((_, i) => {
    const row = byNumber.get(i + 1);
    return row === undefined ? null : { card: cardOf(row), behaviour: row.behaviour };
  });
}

/** The charges of a mandate that are neither paid nor ended, locked. */
export async function lockOpenCharges(tx: Tx, account: string, mandateReference: string): Promise<Payment[]> {
  const { rows } = await tx.query({
    name: 'lock-open-charges',
    text: `select ${COLUMNS} from simulator.payments
      where account = $1 and mandate_reference = $2 and state = 'open' order by reference for update`,
    values: [account, mandateReference],
  });
  return rows.map(fromRow);
}

/** Writes the changed fields of a locked payment. */
export async function changePayment(tx: Tx, payment: Payment, change: PaymentChange): Promise<void> {
  const after = { ...payment, ...change };
  await tx.query({
    name: 'change-payment',
    text: `update simulator.payments set state = $3, captured_centavos = $4, refunded_centavos = $5, chargeback = $6,
      end_to_end_id = $7, captured_at = $8, mandate = $9, refusal = $10, ended_at = $11, card_first_6 = $12,
      card_last_4 = $13, card_good_through = $14, dispute_id = $15 where account = $1 and reference = $2`,
    values: [
      payment.account,
      payment.reference,
      after.state,
      after.captured_centavos,
      after.refunded_centavos,
      after.chargeback,
      after.endToEndId,
      after.capturedAt,
      jsonColumn(after.mandate),
      jsonColumn(after.refusal),
      after.endedAt,
      after.card?.first6 ?? null,
      after.card?.last4 ?? null,
      after.card?.goodThrough ?? null,
      after.disputeId,
    ],
  });
}

/** A new payment as a row of `simulator.payments`, in JSON. */
export function paymentRow(payment: Payment): Record<(typeof COLUMN_NAMES)[number], unknown> {
  return {
    account: payment.account,
    reference: payment.reference,
    method: payment.method,
    state: payment.state,
    amount_centavos: payment.amount_centavos,
    captured_centavos: payment.captured_centavos,
    refunded_centavos: payment.refunded_centavos,
    capture: payment.capture,
    behaviour: payment.behaviour,
    customer_id: payment.customerId,
    card_id: payment.card?.id ?? null,
    card_first_6: payment.card?.first6 ?? null,
    card_last_4: payment.card?.last4 ?? null,
    card_good_through: payment.card?.goodThrough ?? null,
    txid: payment.txid,
    due_date: payment.dueDate,
    expires_at: payment.expiresAt,
    end_to_end_id: payment.endToEndId,
    chargeback: payment.chargeback,
    dispute_id: payment.disputeId,
    captured_at: payment.capturedAt,
    created_at: payment.createdAt,
    mandate: payment.mandate,
    mandate_reference: payment.mandateReference,
    credential: payment.credential,
    refusal: payment.refusal,
    ended_at: payment.endedAt,
  };
}

function jsonColumn(value: object | null): string | null {
  return value && JSON.stringify(value);
}

export { COLUMNS as PAYMENT_COLUMNS };

// biome-ignore lint/suspicious/noExplicitAny: a row comes untyped from the driver; this mapper gives it its type.
function fromRow(row: any): Payment {
  return {
    account: row.account,
    reference: row.reference,
    method: row.method,
    state: row.state,
    amount_centavos: Number(row.amount_centavos),
    captured_centavos: Number(row.captured_centavos),
    refunded_centavos: Number(row.refunded_centavos),
    capture: row.capture,
    behaviour: row.behaviour,
    customerId: row.customer_id,
    card: cardOf(row),
    txid: row.txid,
    dueDate: row.due_date,
    expiresAt: row.expires_at,
    endToEndId: row.end_to_end_id,
    chargeback: row.chargeback,
    disputeId: row.dispute_id,
    capturedAt: row.captured_at,
    createdAt: row.created_at,
    mandate: row.mandate,
    mandateReference: row.mandate_reference,
    credential: row.credential,
    refusal: row.refusal,
    endedAt: row.ended_at,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a row comes untyped from the driver.
function cardOf(row: any): PaymentCard | null {
  if (row.card_id === null) return null;
  return {
    id: row.card_id,
    first6: row.card_first_6,
    last4: row.card_last_4,
    goodThrough: row.card_good_through,
  };
}
