import type { PaymentStatus } from './payment.ts';

export const PAYMENT_EVENTS = [
  'payment.created',
  'payment.pre_authorized',
  'payment.authorized',
  'payment.capture_confirmed',
  'payment.capture_failed',
  'payment.refused',
  'payment.expired',
  'payment.fraud_detected',
  'payment.canceled',
  'payment.cancel_confirmed',
  'payment.cancel_failed',
  'payment.updated',
  'payment.refund_in_progress',
  'payment.refunded',
  'payment.refund_denied',
  'payment.chargeback_requested',
  'payment.chargeback_dispute',
] as const;

export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

interface Move {
  readonly from: readonly PaymentStatus[];
  /** Where it may lead. Several where the amounts decide (`settledStatus`), or the payment's method. */
  readonly to: readonly PaymentStatus[];
  /** Statuses that outlive the move: it is told, and the payment stays where it is. */
  readonly keeps?: readonly PaymentStatus[];
  readonly events: readonly PaymentEvent[];
}

const OPEN = ['processing', 'pre_authorized', 'waiting_payment'] as const;
const SETTLED = ['paid', 'refund_in_progress', 'partially_refunded', 'refunded'] as const;
const DISPUTED = ['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'] as const;

/**
 * The payment's state machine: the only list of what may happen to a payment and of the events that each change
 * emits, in that order (contract row 7.4). Nothing else writes a status.
 */
export const PAYMENT_MOVES = {
  /** The acquirer registered the charge and the buyer may pay it. */
  await_payment: { from: ['processing'], to: ['waiting_payment'], events: ['payment.updated'] },
  pre_authorize: {
    from: ['processing'],
    to: ['pre_authorized'],
    events: ['payment.pre_authorized', 'payment.authorized'],
  },
  authorize: { from: ['processing'], to: ['AUTHORIZED'], events: ['payment.authorized'] },
  /** Automatic capture, or money that arrived: also after an expiry that it crossed on its way. */
  settle: {
    from: ['AUTHORIZED', 'waiting_payment', 'processing', 'expired'],
    to: ['paid'],
    events: ['payment.updated'],
  },
  refuse: { from: [...OPEN, 'AUTHORIZED'], to: ['refused'], events: ['payment.refused'] },
  suspect_fraud: {
    from: [...OPEN, 'AUTHORIZED'],
    to: ['refused'],
    events: ['payment.fraud_detected', 'payment.refused'],
  },
  /** A capture or cancellation was sent and its outcome is not known yet. */
  lose_sight: {
    from: ['pre_authorized', 'waiting_payment'],
    to: ['processing'],
    events: ['payment.updated'],
  },
  capture: { from: ['pre_authorized', 'processing'], to: ['paid'], events: ['payment.capture_confirmed'] },
  fail_capture: {
    from: ['pre_authorized', 'processing'],
    to: ['pre_authorized'],
    events: ['payment.capture_failed'],
  },
  cancel: {
    from: [...OPEN, 'AUTHORIZED'],
    to: ['canceled'],
    events: ['payment.canceled', 'payment.cancel_confirmed'],
  },
  /** Also of a Pix that was paid, or expired, while its withdrawal was under way. */
  fail_cancel: {
    from: [...OPEN],
    to: ['pre_authorized', 'waiting_payment'],
    keeps: ['paid', 'expired'],
    events: ['payment.cancel_failed'],
  },
  expire: { from: ['waiting_payment'], to: ['expired'], events: ['payment.expired'] },
  request_refund: {
    from: ['paid', 'partially_refunded', 'refund_in_progress'],
    to: ['refund_in_progress'],
    events: ['payment.refund_in_progress'],
  },
  complete_refund: {
    from: ['refund_in_progress'],
    to: ['refund_in_progress', 'partially_refunded', 'refunded'],
    keeps: [...DISPUTED],
    events: ['payment.refunded'],
  },
  deny_refund: {
    from: ['refund_in_progress'],
    to: ['refund_in_progress', 'paid', 'partially_refunded'],
    keeps: [...DISPUTED],
    events: ['payment.refund_denied'],
  },
  request_chargeback: {
    from: [...SETTLED],
    to: ['chargeback_requested'],
    events: ['payment.chargeback_requested'],
  },
  dispute_chargeback: {
    from: ['chargeback_requested', 'chargeback_dispute'],
    to: ['chargeback_dispute'],
    events: ['payment.chargeback_dispute'],
  },
  win_chargeback: {
    from: ['chargeback_requested', 'chargeback_dispute'],
    to: [...SETTLED],
    events: ['payment.chargeback_dispute'],
  },
  lose_chargeback: {
    from: ['chargeback_requested', 'chargeback_dispute'],
    to: ['chargeback_lost'],
    events: ['payment.chargeback_dispute'],
  },
} as const satisfies Record<string, Move>;

export type PaymentMove = keyof typeof PAYMENT_MOVES;

/** Whether `move` may take a payment from its status; with `to`, also whether it may lead there. */
export function mayMove(move: PaymentMove, from: PaymentStatus, to?: PaymentStatus): boolean {
  const { from: sources, to: targets, keeps = [] }: Move = PAYMENT_MOVES[move];
  if (keeps.includes(from)) return to === undefined || to === from;
  return sources.includes(from) && (to === undefined || targets.includes(to));
}

/** The status that `move` leads to, for the moves that lead to one only. */
export function targetOf(move: PaymentMove): PaymentStatus {
  const { to }: Move = PAYMENT_MOVES[move];
  if (to.length !== 1) throw new Error(`The move ${move} has several targets: name one.`);
  return to[0]!;
}
