import {
  type CardRefusalCode,
  cardRefusal,
  isCardRefusalCode,
  type PaymentRefusal,
} from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { SimulatedOutcome } from '../sandbox-control.ts';
import { notify } from './notifications.ts';
import { pendingOperation, readOperation, settleOperation } from './operations.ts';
import { changePayment, methodOf, type Payment, type PaymentChange } from './payments.ts';
import { forgetPlans, forgetSettlement } from './planned.ts';
import { payerEndToEndId } from './random.ts';
import { becomeCaptured, settle } from './settle.ts';
import type { Tx } from './store.ts';

/** Something that happens to a payment, whether by itself or because a tester says so. */
export interface Happening {
  readonly outcome: SimulatedOutcome;
  /** Of the payment, or of the refund that `refund_*` is about. */
  readonly reference: string;
  readonly reason: string | null;
  /** Account's time. */
  readonly at: Date;
}

/** The notifications that tell it, or a sentence why the books do not allow it. */
export type Happened = { readonly notified: string[] } | { readonly why: string };

type Handler = (tx: Tx, payment: Payment, happening: Happening) => Promise<Happened>;

/** Changes the books and writes the notification, both in `tx`. The payment is locked. */
export function happen(tx: Tx, payment: Payment, happening: Happening): Promise<Happened> {
  const { reason } = happening;
  if (reason !== null && !isCardRefusalCode(reason)) return no(`"${reason}" is not a refusal reason.`);
  return HANDLERS[happening.outcome](tx, payment, happening);
}

const HANDLERS: Readonly<Record<SimulatedOutcome, Handler>> = {
  paid,
  refused: async (tx, payment, happening) => {
    const reason = (happening.reason ?? defaultReason(payment)) as CardRefusalCode;
    if (payment.state === 'pending')
      return settleByHand(tx, payment, payment.reference, reason, happening.at);
    if (payment.state !== 'open') return no(`A payment that is ${payment.state} cannot be refused any more.`);
    return closePix(tx, payment, 'refused', 'pix.refused', cardRefusal(reason), happening.at);
  },
  expired: async (tx, payment, { at }) => {
    if (payment.state !== 'open') return no('Only a Pix charge that waits for its payer can expire.');
    return closePix(tx, payment, 'expired', 'pix.expired', null, at);
  },
  fraud,
  refund_succeeded: (tx, payment, { reference, at }) =>
    settleByHand(tx, payment, reference, 'approve', at, 'refund'),
  refund_denied: (tx, payment, { reference, at, reason }) =>
    settleByHand(tx, payment, reference, (reason ?? 'processing_error') as CardRefusalCode, at, 'refund'),
  cancel_confirmed: cancelConfirmed,
  chargeback_requested: async (tx, payment, { at }) => {
    if (payment.captured_centavos === payment.refunded_centavos) {
      return no('Only a paid payment that was not wholly refunded can be charged back.');
    }
    return chargeback(tx, payment, ['none'], 'requested', at);
  },
  chargeback_dispute: (tx, payment, { at }) =>
    chargeback(tx, payment, ['requested', 'dispute'], 'dispute', at),
  chargeback_won: (tx, payment, { at }) => chargeback(tx, payment, ['requested', 'dispute'], 'won', at),
  chargeback_lost: (tx, payment, { at }) => chargeback(tx, payment, ['requested', 'dispute'], 'lost', at),
};

async function paid(tx: Tx, payment: Payment, { at }: Happening): Promise<Happened> {
  if (payment.state === 'pending') return settleByHand(tx, payment, payment.reference, 'approve', at);
  if (payment.state !== 'open') return no('Only a payment that waits for its payer can be paid.');
  if (payment.expiresAt && at >= payment.expiresAt) return no('The Pix charge is past its expiry.');
  const id = payerEndToEndId(at);
  await becomeCaptured(tx, payment, payment.amount_centavos, at, id);
  const notice = { ...noticeOf(payment, 'pix.paid', at), endToEndId: id };
  return { notified: [await notify(tx, notice, payment.behaviour === 'notified_twice' ? 2 : 1)] };
}

async function closePix(
  tx: Tx,
  payment: Payment,
  state: 'refused' | 'expired',
  type: NotificationType,
  refusal: PaymentRefusal | null,
  at: Date,
): Promise<Happened> {
  await changePayment(tx, payment, { state });
  await forgetPlans(tx, payment);
  return { notified: [await notify(tx, { ...noticeOf(payment, type, at), refusal })] };
}

async function fraud(tx: Tx, payment: Payment, { at }: Happening): Promise<Happened> {
  if (payment.method !== 'card') return no('Only card payments are suspected of fraud.');
  if (payment.state !== 'authorized' && payment.state !== 'pending') {
    return no(`An authorization that is ${payment.state} is not suspected of fraud any more.`);
  }
  const refusal = cardRefusal('fraud');
  await changePayment(tx, payment, { state: 'refused' });
  await settleOperation(tx, payment.account, payment.reference, { status: 'refused', refusal });
  await forgetPlans(tx, payment);
  await forgetSettlement(tx, payment.account, payment.reference);
  const notice = { ...noticeOf(payment, 'authorization.fraud_detected', at), refusal };
  return { notified: [await notify(tx, notice)] };
}

async function cancelConfirmed(tx: Tx, payment: Payment, { at }: Happening): Promise<Happened> {
  const asked = await pendingOperation(tx, payment.account, payment.reference, 'cancel');
  if (asked) return settleByHand(tx, payment, asked, 'approve', at);
  if (payment.state !== 'authorized')
    return no('Only an authorization that was not captured can be canceled.');
  await changePayment(tx, payment, { state: 'voided' });
  await forgetPlans(tx, payment);
  return { notified: [await notify(tx, noticeOf(payment, 'cancel.approved', at))] };
}

async function chargeback(
  tx: Tx,
  payment: Payment,
  from: readonly Payment['chargeback'][],
  to: Exclude<Payment['chargeback'], 'none'>,
  at: Date,
): Promise<Happened> {
  if (!from.includes(payment.chargeback)) {
    const now =
      payment.chargeback === 'none' ? 'no chargeback' : `a chargeback in state ${payment.chargeback}`;
    return no(`The payment has ${now}.`);
  }
  const change: PaymentChange = { chargeback: to };
  await changePayment(tx, payment, change);
  const amount_centavos = payment.captured_centavos - payment.refunded_centavos;
  return {
    notified: [await notify(tx, { ...noticeOf(payment, `chargeback.${to}`, at), amount_centavos })],
  };
}

/** Ends an operation before its time; `kind` says which kind it has to be. */
async function settleByHand(
  tx: Tx,
  payment: Payment,
  reference: string,
  verdict: 'approve' | CardRefusalCode,
  at: Date,
  kind?: 'refund',
): Promise<Happened> {
  const operation = await readOperation(tx, payment.account, reference);
  if (kind && !(operation?.kind === kind && operation.outcome)) return no('The payment has no such refund.');
  if (operation?.outcome?.status !== 'pending') return no('It was already decided.');
  const notified = await settle(tx, payment, reference, verdict, at);
  await forgetSettlement(tx, payment.account, reference);
  return { notified: notified ? [notified] : [] };
}

function noticeOf(payment: Payment, type: NotificationType, at: Date) {
  const { account, reference, amount_centavos } = payment;
  return { account, reference, type, method: methodOf(payment), occurredAt: at, amount_centavos };
}

function defaultReason(payment: Payment): CardRefusalCode {
  return payment.method === 'card' ? 'do_not_honor' : 'processing_error';
}

async function no(why: string): Promise<Happened> {
  return { why };
}
