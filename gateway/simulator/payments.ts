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

const COLUMNS = `account, reference, method, state, amount_centavos, captured_centavos, refunded_centavos, capture,
  behaviour, customer_id, card_id, card_first_6, card_last_4, txid, due_date, expires_at, end_to_end_id, chargeback,
  captured_at, created_at, mandate, mandate_reference, credential, refusal, ended_at, card_good_through, dispute_id`;

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

/** The card of a credential, and how it behaves. Null if the account has no such credential. */
export async function findCredential(
  q: Queryable,
  account: string,
  credential: string,
): Promise<Pick<Payment, 'card' | 'behaviour'> | null> {
  const { rows } = await q.query({
    name: 'find-credential',
    text: `select ${COLUMNS} from simulator.payments
      where account = $1 and credential = $2 and state not in ('pending', 'refused')`,
    values: [account, credential],
  });
  if (!rows[0]) return null;
  const { card, behaviour } = fromRow(rows[0]);
  return { card, behaviour };
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

/** The values of `PAYMENT_COLUMNS` for a new payment. */
export function paymentValues(payment: Payment): unknown[] {
  return [
    payment.account,
    payment.reference,
    payment.method,
    payment.state,
    payment.amount_centavos,
    payment.captured_centavos,
    payment.refunded_centavos,
    payment.capture,
    payment.behaviour,
    payment.customerId,
    payment.card?.id ?? null,
    payment.card?.first6 ?? null,
    payment.card?.last4 ?? null,
    payment.txid,
    payment.dueDate,
    payment.expiresAt,
    payment.endToEndId,
    payment.chargeback,
    payment.capturedAt,
    payment.createdAt,
    jsonColumn(payment.mandate),
    payment.mandateReference,
    payment.credential,
    jsonColumn(payment.refusal),
    payment.endedAt,
    payment.card?.goodThrough ?? null,
    payment.disputeId,
  ];
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
    card: row.card_id && {
      id: row.card_id,
      first6: row.card_first_6,
      last4: row.card_last_4,
      goodThrough: row.card_good_through,
    },
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
