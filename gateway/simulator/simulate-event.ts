import { randomUUID } from 'node:crypto';
import type { SettlementType } from '../../domain/ledger/settlement.ts';
import { disputeReason, evidenceDeadline } from '../../domain/payments/dispute-notice.ts';
import { MANDATE_REJECTIONS } from '../../domain/payments/pix-automatico-reasons.ts';
import {
  type CardRefusalCode,
  cardRefusal,
  isCardRefusalCode,
  type PaymentRefusal,
} from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireDispute } from '../wire-disputes.ts';
import type { EventName } from './behaviours.ts';
import type { Tx } from './database.ts';
import { addDisputeChange } from './dispute-changes.ts';
import { authorizeMandate, cancelMandateByPayer, rejectMandate } from './mandate.ts';
import { endedMandate } from './mandate-state.ts';
import { SIMULATED_METHODS } from './methods/index.ts';
import { updateCard } from './methods/network-tokens.ts';
import { notify } from './notifications.ts';
import { pendingOperation, readOperation, writeOutcome } from './operations.ts';
import { changePayment, type Payment, type PaymentChange } from './payments.ts';
import { deleteScheduledEvents, deleteScheduledSettlement } from './scheduled-events.ts';
import { capture, settleOperation } from './settle-operation.ts';
import { addSettlement } from './settlements.ts';

/** An event of a payment: scheduled, or requested by a tester. */
export interface SimulatedEvent {
  readonly outcome: EventName;
  /** The payment, or the refund that `refund_*` is about. */
  readonly reference: string;
  /** Why the payment was refused, or is disputed. */
  readonly reason: string | null;
  /** Account's time. */
  readonly at: Date;
}

/** The ids of the notifications that report the event, or a sentence that says why it is not possible. */
export type SimulationResult = { readonly notified: string[] } | { readonly why: string };

type Handler = (tx: Tx, payment: Payment, event: SimulatedEvent) => Promise<SimulationResult>;

/** Changes the payment and writes the notification, both in `tx`. The payment is locked. */
export function simulateEvent(tx: Tx, payment: Payment, event: SimulatedEvent): Promise<SimulationResult> {
  const { outcome, reason } = event;
  if (reason !== null && outcome === 'chargeback_requested' && disputeReason(reason) !== reason) {
    return notPossible(`"${reason}" is not a reason of a dispute.`);
  }
  if (reason !== null && outcome !== 'chargeback_requested' && !isRefusalReason(payment, reason)) {
    return notPossible(`"${reason}" is not a refusal reason.`);
  }
  return HANDLERS[event.outcome](tx, payment, event);
}

/** Reasons of a mandate and its charges are codes of Pix. */
function isRefusalReason({ method }: Payment, reason: string): boolean {
  const isOfPix = SIMULATED_METHODS[method].type === 'mandate' && /^[A-Z0-9]{4}$/.test(reason);
  return isOfPix || isCardRefusalCode(reason);
}

const HANDLERS: Readonly<Record<EventName, Handler>> = {
  mandate_authorized: authorizeMandate,
  mandate_rejected: rejectMandate,
  mandate_canceled: cancelMandateByPayer,
  card_updated: updateCard,
  paid,
  refused,
  expired,
  fraud,
  refund_succeeded: (tx, payment, { reference, at }) =>
    settleEarly(tx, payment, { reference, outcome: 'approve', at, kind: 'refund' }),
  refund_denied: (tx, payment, { reference, at, reason }) =>
    settleEarly(tx, payment, {
      reference,
      outcome: (reason ?? 'processing_error') as CardRefusalCode,
      at,
      kind: 'refund',
    }),
  cancel_confirmed: cancelConfirmed,
  chargeback_requested: async (tx, payment, { at, reason }) => {
    const { whyNotDisputed } = SIMULATED_METHODS[payment.method];
    if (whyNotDisputed !== undefined) return notPossible(whyNotDisputed);
    if (payment.captured_centavos === payment.refunded_centavos) {
      return notPossible('Only a paid payment that is not fully refunded can be charged back.');
    }
    const dispute = {
      previous_id: payment.disputeId,
      reason: reason ?? 'fraudulent',
      evidence_due_at: evidenceDeadline(at).toISOString(),
    };
    return chargeback(tx, payment, { from: ['none', 'won'], to: 'requested', at, dispute });
  },
  chargeback_dispute: (tx, payment, { at }) =>
    chargeback(tx, payment, { from: ['requested', 'dispute'], to: 'dispute', at }),
  chargeback_won: (tx, payment, { at }) =>
    chargeback(tx, payment, { from: ['requested', 'dispute'], to: 'won', at }),
  chargeback_lost: (tx, payment, { at }) =>
    chargeback(tx, payment, { from: ['requested', 'dispute'], to: 'lost', at }),
};

async function paid(tx: Tx, payment: Payment, { at }: SimulatedEvent): Promise<SimulationResult> {
  if (payment.state === 'pending')
    return settleEarly(tx, payment, { reference: payment.reference, outcome: 'approve', at });
  const charge = openCharge(payment) ?? lateCharge(payment);
  if (charge === undefined) return notPossible('Only a payment that waits for its payer can be paid.');
  if (payment.mandate !== null) return authorizeMandate(tx, payment, { reason: null, at });
  if (charge.pastExpiry !== null && payment.expiresAt && at >= payment.expiresAt) {
    return notPossible(charge.pastExpiry);
  }
  const endToEndId = charge.endToEndId?.(at) ?? null;
  await capture({ tx, payment, at }, payment.amount_centavos, endToEndId);
  const notification = { ...notificationOf(payment, charge.notifications.paid, at), endToEndId };
  return { notified: [await notify(tx, notification, payment.behaviour === 'notified_twice' ? 2 : 1)] };
}

async function refused(tx: Tx, payment: Payment, { at, reason }: SimulatedEvent): Promise<SimulationResult> {
  const code = reason ?? defaultReason(payment);
  if (payment.state === 'pending') {
    return settleEarly(tx, payment, { reference: payment.reference, outcome: code as CardRefusalCode, at });
  }
  const charge = openCharge(payment);
  if (charge === undefined) {
    return notPossible(`A payment that is ${payment.state} cannot be refused any more.`);
  }
  const isOfMandate = reason === null || (MANDATE_REJECTIONS as readonly string[]).includes(reason);
  if (payment.mandate !== null && isOfMandate) return rejectMandate(tx, payment, { reason, at });
  return closeCharge(tx, payment, {
    state: 'refused',
    type: charge.notifications.refused,
    refusal: refusalFor(charge, code),
    at,
  });
}

function refusalFor({ refusal }: ReturnType<typeof openCharge> & object, code: string): PaymentRefusal {
  return refusal === undefined || isCardRefusalCode(code) ? cardRefusal(code) : refusal(code);
}

async function expired(tx: Tx, payment: Payment, { at }: SimulatedEvent): Promise<SimulationResult> {
  const charge = openCharge(payment);
  if (charge === undefined) return notPossible('Only a charge that waits for its payer can expire.');
  return closeCharge(tx, payment, {
    state: 'expired',
    type: charge.notifications.expired,
    refusal: null,
    at,
  });
}

/** The method of a payment that waits for its buyer; undefined for any other payment. */
function openCharge({ method, state }: Payment) {
  const simulated = SIMULATED_METHODS[method];
  return state === 'open' && simulated.type !== 'authorization' ? simulated : undefined;
}

/** The method of an expired charge that can still be paid; undefined for any other payment. */
function lateCharge({ method, state }: Payment) {
  const simulated = SIMULATED_METHODS[method];
  if (state !== 'expired' || simulated.type === 'authorization') return undefined;
  return simulated.pastExpiry === null ? simulated : undefined;
}

interface EndOfCharge {
  readonly state: 'refused' | 'expired';
  readonly type: NotificationType;
  readonly refusal: PaymentRefusal | null;
  readonly at: Date;
}

async function closeCharge(
  tx: Tx,
  payment: Payment,
  { state, type, refusal, at }: EndOfCharge,
): Promise<SimulationResult> {
  const mandate = endedMandate(payment.mandate, state === 'expired' ? 'expired' : 'rejected');
  await changePayment(tx, payment, { state, mandate, refusal, endedAt: at });
  await deleteScheduledEvents(tx, payment);
  return { notified: [await notify(tx, { ...notificationOf(payment, type, at), refusal })] };
}

async function fraud(tx: Tx, payment: Payment, { at }: SimulatedEvent): Promise<SimulationResult> {
  if (SIMULATED_METHODS[payment.method].type !== 'authorization') {
    return notPossible('Only card payments are suspected of fraud.');
  }
  if (payment.state !== 'authorized' && payment.state !== 'pending') {
    return notPossible(`An authorization that is ${payment.state} is not suspected of fraud any more.`);
  }
  const refusal = cardRefusal('fraud');
  await changePayment(tx, payment, { state: 'refused' });
  await writeOutcome(tx, payment.account, payment.reference, { status: 'refused', refusal });
  await deleteScheduledEvents(tx, payment);
  await deleteScheduledSettlement(tx, payment.account, payment.reference);
  const notification = { ...notificationOf(payment, 'authorization.fraud_detected', at), refusal };
  return { notified: [await notify(tx, notification)] };
}

async function cancelConfirmed(tx: Tx, payment: Payment, { at }: SimulatedEvent): Promise<SimulationResult> {
  const pending = await pendingOperation(tx, payment.account, payment.reference, 'cancel');
  if (pending) return settleEarly(tx, payment, { reference: pending, outcome: 'approve', at });
  if (payment.state !== 'authorized') {
    return notPossible('Only an authorization that was not captured can be canceled.');
  }
  await changePayment(tx, payment, { state: 'voided' });
  await deleteScheduledEvents(tx, payment);
  return { notified: [await notify(tx, notificationOf(payment, 'cancel.approved', at))] };
}

/** What the settlement file lists of a dispute. One that is lost has its money taken already. */
const SETTLED_BY: Readonly<Partial<Record<Payment['chargeback'], SettlementType>>> = {
  requested: 'dispute',
  won: 'dispute_reversed',
};

interface ChargebackMove {
  readonly from: readonly Payment['chargeback'][];
  readonly to: Exclude<Payment['chargeback'], 'none'>;
  readonly at: Date;
  readonly dispute?: WireDispute;
}

async function chargeback(
  tx: Tx,
  payment: Payment,
  { from, to, at, dispute }: ChargebackMove,
): Promise<SimulationResult> {
  if (!from.includes(payment.chargeback)) {
    const now =
      payment.chargeback === 'none' ? 'no chargeback' : `a chargeback in state ${payment.chargeback}`;
    return notPossible(`The payment has ${now}.`);
  }
  const disputeId = to === 'requested' ? randomUUID() : payment.disputeId;
  const change: PaymentChange = { chargeback: to, disputeId };
  await changePayment(tx, payment, change);
  const amount_centavos = payment.captured_centavos - payment.refunded_centavos;
  const settled = SETTLED_BY[to];
  if (settled !== undefined) {
    const { account, reference } = payment;
    await addSettlement(tx, { account, reference, type: settled, amount_centavos, occurredAt: at });
  }
  const reported = { ...notificationOf(payment, `chargeback.${to}`, at), amount_centavos };
  const notification = { ...reported, dispute: { ...dispute, id: disputeId } };
  const changed = { state: to, amount_centavos, dispute: notification.dispute, occurredAt: at };
  await addDisputeChange(tx, payment, changed);
  return { notified: [await notify(tx, notification)] };
}

interface EarlySettlement {
  readonly reference: string;
  readonly outcome: 'approve' | CardRefusalCode;
  readonly at: Date;
  /** Only an operation of this kind is settled. */
  readonly kind?: 'refund';
}

/** Settles a pending operation before its time. */
async function settleEarly(
  tx: Tx,
  payment: Payment,
  { reference, outcome, at, kind }: EarlySettlement,
): Promise<SimulationResult> {
  const operation = await readOperation(tx, payment.account, reference);
  if (kind && !(operation?.kind === kind && operation.outcome)) {
    return notPossible('The payment has no such refund.');
  }
  if (operation?.outcome?.status !== 'pending') return notPossible('The refund has already ended.');
  const notified = await settleOperation({ tx, payment, at }, reference, outcome);
  await deleteScheduledSettlement(tx, payment.account, reference);
  return { notified: notified ? [notified] : [] };
}

function notificationOf(payment: Payment, type: NotificationType, at: Date) {
  const { account, reference, method, amount_centavos } = payment;
  return { account, reference, type, method, occurredAt: at, amount_centavos };
}

function defaultReason({ method }: Payment): string {
  return DEFAULT_REASONS[SIMULATED_METHODS[method].type];
}

const DEFAULT_REASONS = {
  authorization: 'do_not_honor',
  charge: 'processing_error',
  mandate: 'AM02',
} as const;

async function notPossible(why: string): Promise<SimulationResult> {
  return { why };
}
