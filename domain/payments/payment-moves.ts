import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { PaymentEvent } from './payment-events.ts';
import { PAYMENT_STATES, type PaymentState, type PaymentStateRecord, stateOf } from './payment-state.ts';

const WITH_STEPS = ['scheduled', 'pre_authorized', 'waiting_payment'] as const;
const AWAITING_PAYER = ['scheduled', 'waiting_payment'] as const;
const VOIDING = ['void_requested', 'void_unknown'] as const;
const CANCELING = ['cancel_requested', 'cancel_unknown'] as const;
const CAPTURING = ['capture_requested', 'capture_unknown'] as const;
const NOT_CAPTURED = [
  'processing',
  'pre_authorized',
  'waiting_payment',
  'AUTHORIZED',
  ...CAPTURING,
  ...VOIDING,
  ...CANCELING,
] as const;
const SETTLED = ['paid', 'refund_in_progress', 'partially_refunded', 'refunded'] as const;
const DISPUTED = ['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'] as const;
const OPEN_DISPUTE = ['chargeback_requested', 'chargeback_dispute'] as const;

/**
 * Every change of a payment. Where a move has several targets, the amounts decide (`settledStatus`). Contract row 7.4
 * gives the events and their order.
 */
const MOVES = {
  /** The acquirer registered the charge, and the buyer may pay it. */
  await_payment: {
    from: ['processing'],
    to: ['waiting_payment'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  pre_authorize: {
    from: ['processing'],
    to: ['pre_authorized'],
    by: ['acquirer'],
    events: ['payment.pre_authorized', 'payment.authorized'],
  },
  authorize: {
    from: ['processing'],
    to: ['AUTHORIZED'],
    by: ['acquirer'],
    events: ['payment.authorized'],
  },
  /**
   * An automatic capture, or a payment that arrived. It may arrive after the charge expired, or while its cancellation
   * is pending.
   */
  settle: {
    from: ['AUTHORIZED', 'waiting_payment', 'processing', 'expired', ...CANCELING],
    to: ['paid'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  /** The capture of a card charge of a billing cycle (contract row 13.1). */
  settle_cycle: {
    from: ['AUTHORIZED'],
    to: ['paid'],
    by: ['acquirer'],
    events: ['payment.capture_confirmed'],
  },
  /** Its QR code or barcode arrived, and the status stays: `scheduled` for a payment of 0 that requests a mandate. */
  offer_code: { from: [], to: [], keeps: AWAITING_PAYER, by: ['acquirer'], events: ['payment.updated'] },
  /** Pix Automático: the payer authorized the mandate by the QR code of a payment of 0. */
  authorize_mandate: {
    from: ['scheduled'],
    to: ['AUTHORIZED'],
    by: ['acquirer'],
    events: ['payment.authorized'],
  },
  /** A charge of Pix Automático goes to the acquirer, 2 days before it is due. */
  send: { from: ['scheduled'], to: ['waiting_payment'], by: ['clock'], events: [] },
  /** The payer authorized the mandate by paying the first charge. Like `settle`, it can arrive late. */
  settle_first: {
    from: ['waiting_payment', 'processing', 'expired', ...CANCELING],
    to: ['paid'],
    by: ['acquirer'],
    events: ['payment.authorized', 'payment.updated'],
  },
  /** A later charge of Pix Automático was paid. */
  settle_recurring: {
    from: ['waiting_payment', 'expired', ...CANCELING],
    to: ['paid'],
    by: ['acquirer'],
    events: ['payment.capture_confirmed'],
  },
  refuse: {
    from: ['scheduled', 'processing', 'pre_authorized', 'waiting_payment', 'AUTHORIZED', ...CANCELING],
    to: ['refused'],
    by: ['acquirer'],
    events: ['payment.refused'],
  },
  suspect_fraud: {
    from: ['scheduled', ...NOT_CAPTURED],
    to: ['refused'],
    by: ['acquirer'],
    events: ['payment.fraud_detected', 'payment.refused'],
  },

  request_capture: {
    from: ['pre_authorized'],
    to: ['capture_requested'],
    by: ['merchant', 'clock'],
    events: [],
  },
  /** The acquirer gave no final answer. Voids and cancellations have the same move. */
  mark_capture_unknown: {
    from: ['capture_requested'],
    to: ['capture_unknown'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  capture: { from: CAPTURING, to: ['paid'], by: ['acquirer'], events: ['payment.capture_confirmed'] },
  fail_capture: {
    from: CAPTURING,
    to: ['pre_authorized'],
    by: ['acquirer'],
    events: ['payment.capture_failed'],
  },

  /** The clock requests it when an authorization was not captured in time. */
  request_void: {
    from: ['pre_authorized'],
    to: ['void_requested'],
    by: ['merchant', 'clock'],
    events: [],
  },
  mark_void_unknown: {
    from: ['void_requested'],
    to: ['void_unknown'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  fail_void: {
    from: VOIDING,
    to: ['pre_authorized'],
    by: ['acquirer'],
    events: ['payment.cancel_failed'],
  },

  /** The acquirer has never received the capture or void that the clock requested. The clock requests it again. */
  repeat_step: {
    from: ['capture_requested', 'void_requested'],
    to: ['pre_authorized'],
    by: ['acquirer'],
    events: [],
  },
  repeat_unknown_step: {
    from: ['capture_unknown', 'void_unknown'],
    to: ['pre_authorized'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  /** An automatic capture waits because the merchant is not approved, or a charge is asked about again later. */
  postpone: { from: [], to: [], keeps: WITH_STEPS, by: ['clock'], events: [] },
  /**
   * A charge of a subscription is no longer wanted. Its next step is then the cancellation, which the clock requests
   * like any other due step, so that a crash cannot lose it. One whose registration has no known outcome is canceled
   * once it is registered, and the clock puts the cancellation off while another operation is pending.
   */
  withdraw: {
    from: [],
    to: [],
    keeps: ['processing', 'waiting_payment'],
    by: ['merchant', 'acquirer', 'clock'],
    events: [],
  },
  /** The clock requests it for a charge that was withdrawn. */
  request_cancel: {
    from: ['waiting_payment'],
    to: ['cancel_requested'],
    by: ['merchant', 'clock'],
    events: [],
  },
  mark_cancel_unknown: {
    from: ['cancel_requested'],
    to: ['cancel_unknown'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  /** The acquirer refused to cancel the charge. A charge that was paid or that expired before keeps its status. */
  fail_cancel: {
    from: CANCELING,
    to: ['waiting_payment'],
    keeps: ['paid', 'expired'],
    by: ['acquirer'],
    events: ['payment.cancel_failed'],
  },
  /** The acquirer refused again, for the same reason. The first refusal had the event. */
  fail_cancel_again: {
    from: ['cancel_requested'],
    to: ['waiting_payment'],
    keeps: ['paid', 'expired'],
    by: ['acquirer'],
    events: [],
  },
  /** The same after there was no final answer at first. */
  fail_unknown_cancel_again: {
    from: ['cancel_unknown'],
    to: ['waiting_payment'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },
  /** The acquirer has never received the cancellation of a charge that was withdrawn. The clock requests it again. */
  repeat_cancel: { from: ['cancel_requested'], to: ['waiting_payment'], by: ['acquirer'], events: [] },
  /** The same after there was no final answer at first. */
  repeat_unknown_cancel: {
    from: ['cancel_unknown'],
    to: ['waiting_payment'],
    by: ['acquirer'],
    events: ['payment.updated'],
  },

  /** A scheduled charge that was not sent to the acquirer is dropped with its subscription. */
  drop: {
    from: ['scheduled'],
    to: ['canceled'],
    by: ['merchant', 'acquirer', 'clock'],
    events: ['payment.canceled'],
  },
  /** A void or cancellation succeeded, or the acquirer released the payment itself. */
  cancel: {
    from: ['scheduled', ...NOT_CAPTURED],
    to: ['canceled'],
    by: ['acquirer'],
    events: ['payment.canceled', 'payment.cancel_confirmed'],
  },
  expire: {
    from: ['scheduled', 'waiting_payment', 'cancel_requested'],
    to: ['expired'],
    by: ['acquirer', 'clock'],
    events: ['payment.expired'],
  },

  request_refund: {
    from: ['paid', 'partially_refunded', 'refund_in_progress'],
    to: ['refund_in_progress'],
    by: ['merchant'],
    events: ['payment.refund_in_progress'],
  },
  complete_refund: {
    from: ['refund_in_progress'],
    to: ['refund_in_progress', 'partially_refunded', 'refunded'],
    keeps: DISPUTED,
    by: ['acquirer'],
    events: ['payment.refunded'],
  },
  deny_refund: {
    from: ['refund_in_progress'],
    to: ['refund_in_progress', 'paid', 'partially_refunded'],
    keeps: DISPUTED,
    by: ['acquirer'],
    events: ['payment.refund_denied'],
  },

  /** Nothing is left to dispute of a payment that is fully refunded. */
  request_chargeback: {
    from: ['paid', 'refund_in_progress', 'partially_refunded'],
    to: ['chargeback_requested'],
    by: ['acquirer'],
    events: ['payment.chargeback_requested'],
  },
  dispute_chargeback: {
    from: OPEN_DISPUTE,
    to: ['chargeback_dispute'],
    by: ['acquirer'],
    events: ['payment.chargeback_dispute'],
  },
  win_chargeback: {
    from: OPEN_DISPUTE,
    to: SETTLED,
    by: ['acquirer'],
    events: ['payment.chargeback_dispute'],
  },
  lose_chargeback: {
    from: OPEN_DISPUTE,
    to: ['chargeback_lost'],
    by: ['acquirer'],
    events: ['payment.chargeback_dispute'],
  },

  /** Data that arrive later than their result, such as an authorization code. `add_details`: of an internal step. */
  add_data: { from: [], to: [], keeps: PAYMENT_STATES, by: ['acquirer'], events: ['payment.updated'] },
  add_details: { from: [], to: [], keeps: PAYMENT_STATES, by: ['acquirer'], events: [] },
  /** Writes the ledger entries of a payment that was captured before there was a ledger, as any other move does. */
  post_entries: { from: [], to: [], keeps: [...SETTLED, ...DISPUTED], by: ['clock'], events: [] },
} as const satisfies Moves<PaymentState, PaymentEvent>;

export type PaymentMove = keyof typeof MOVES;
export const paymentMachine: StateMachine<PaymentState, PaymentMove, PaymentEvent> = stateMachine(
  'a payment',
  MOVES,
);

/** Whether a payment may make a move now. */
export function mayMove(payment: PaymentStateRecord, move: PaymentMove): boolean {
  return paymentMachine.allows(move, stateOf(payment));
}
