import { PAYMENT_STATUSES, type Payment, type PaymentStatus, type PendingOperation } from './payment.ts';

/**
 * The state of a payment for code that decides what it may do next. It is the status that merchants see, except while a
 * capture, void or cancellation is pending: `requested` until the acquirer's answer, `unknown` when there was no final
 * answer.
 */
export type PaymentState = PaymentStatus | PendingState;
type PendingState = `${PendingOperation}_requested` | `${PendingOperation}_unknown`;

/** How the record of a payment holds its state. */
export type PaymentStateRecord = Pick<Payment, 'status' | 'pendingOperation'>;

const PENDING: Readonly<Record<PendingState, PaymentStateRecord>> = {
  capture_requested: { status: 'pre_authorized', pendingOperation: 'capture' },
  capture_unknown: { status: 'processing', pendingOperation: 'capture' },
  void_requested: { status: 'pre_authorized', pendingOperation: 'void' },
  void_unknown: { status: 'processing', pendingOperation: 'void' },
  cancel_requested: { status: 'waiting_payment', pendingOperation: 'cancel' },
  cancel_unknown: { status: 'processing', pendingOperation: 'cancel' },
};

export const PAYMENT_STATES: readonly PaymentState[] = [
  ...PAYMENT_STATUSES,
  ...(Object.keys(PENDING) as PendingState[]),
];

/** The state that a payment is in. */
export function stateOf({ status, pendingOperation }: PaymentStateRecord): PaymentState {
  if (pendingOperation === null) return status;
  return status === 'processing' ? `${pendingOperation}_unknown` : `${pendingOperation}_requested`;
}

/** What the record of a payment holds in a state: the reverse of `stateOf`. */
export function recordOfState(state: PaymentState): PaymentStateRecord {
  return isPending(state) ? PENDING[state] : { status: state, pendingOperation: null };
}

function isPending(state: PaymentState): state is PendingState {
  return Object.hasOwn(PENDING, state);
}

/** Statuses of a payment that is neither paid nor ended. Only these can have a time at which something is due. */
export const OPEN_STATUSES: readonly PaymentStatus[] = [
  'scheduled',
  'waiting_payment',
  'processing',
  'pre_authorized',
  'AUTHORIZED',
];

/** Statuses of a charge at once whose outcome is not known, so that it may still be paid. */
export const UNDECIDED_STATUSES: readonly PaymentStatus[] = ['processing', 'AUTHORIZED'];

/** Whether a payment is neither paid nor ended. */
export function isOpen({ status }: Pick<Payment, 'status'>): boolean {
  return OPEN_STATUSES.includes(status);
}
