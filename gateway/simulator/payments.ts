import type { PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { BehaviourName } from './behaviours.ts';
import type { Tx } from './store.ts';

/** A card's authorization or a Pix charge in the acquirer's books. */
export interface Payment {
  readonly account: string;
  readonly reference: string;
  readonly method: 'card' | 'pix';
  /** card: pending, authorized, captured, voided, refused; Pix: open, captured (paid), voided, expired, refused. */
  readonly state: PaymentState;
  readonly amount_centavos: number;
  readonly captured_centavos: number;
  /** Given back, or about to be. */
  readonly refunded_centavos: number;
  /** Whether the authorization captures too. */
  readonly capture: boolean;
  readonly behaviour: BehaviourName;
  readonly customerId: string;
  readonly card: { readonly id: string; readonly first6: string; readonly last4: string } | null;
  readonly txid: string | null;
  readonly expiresAt: Date | null;
  readonly endToEndId: string | null;
  readonly chargeback: 'none' | 'requested' | 'dispute' | 'won' | 'lost';
  readonly createdAt: Date;
}

/** The payment's method in the words of the wire. */
export function methodOf({ method }: Pick<Payment, 'method'>): PaymentMethod {
  return method === 'card' ? 'credit_card' : 'pix';
}

export type PaymentState = 'pending' | 'open' | 'authorized' | 'captured' | 'voided' | 'expired' | 'refused';

export type PaymentChange = Partial<
  Pick<Payment, 'state' | 'captured_centavos' | 'refunded_centavos' | 'chargeback' | 'endToEndId'>
>;

const COLUMNS = `account, reference, method, state, amount_centavos, captured_centavos, refunded_centavos, capture,
  behaviour, customer_id, card_id, card_first_6, card_last_4, txid, expires_at, end_to_end_id, chargeback, created_at`;

/** The payment, locked: everything that changes one waits here, so its operations happen one after another. */
export async function lockPayment(tx: Tx, account: string, reference: string): Promise<Payment | null> {
  const { rows } = await tx.query({
    name: 'lock-payment',
    text: `select ${COLUMNS} from simulator.payments where account = $1 and reference = $2 for update`,
    values: [account, reference],
  });
  return rows[0] ? fromRow(rows[0]) : null;
}

/** Writes the payment with the values of `payment` that `change` names. */
export async function changePayment(tx: Tx, payment: Payment, change: PaymentChange): Promise<void> {
  const after = { ...payment, ...change };
  await tx.query({
    name: 'change-payment',
    text: `update simulator.payments set state = $3, captured_centavos = $4, refunded_centavos = $5, chargeback = $6,
      end_to_end_id = $7 where account = $1 and reference = $2`,
    values: [
      payment.account,
      payment.reference,
      after.state,
      after.captured_centavos,
      after.refunded_centavos,
      after.chargeback,
      after.endToEndId,
    ],
  });
}

/** Column names and values of a new payment, for the one statement that books it with its operation. */
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
    payment.expiresAt,
    payment.endToEndId,
    payment.chargeback,
    payment.createdAt,
  ];
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
    card: row.card_id && { id: row.card_id, first6: row.card_first_6, last4: row.card_last_4 },
    txid: row.txid,
    expiresAt: row.expires_at,
    endToEndId: row.end_to_end_id,
    chargeback: row.chargeback,
    createdAt: row.created_at,
  };
}
