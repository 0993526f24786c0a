import type { Payment, PaymentStatus } from './payment.ts';
import { type PaymentState, stateOf } from './payment-state.ts';

/** The money of a payment at one moment, in centavos. Ledger entries follow from how a move changes it. */
export interface PaymentAmounts extends RecordedAmounts {
  /** Reserved on the buyer's card, not captured yet. */
  readonly authorized_centavos: number;
  /** Held back by a dispute that is open. */
  readonly disputed_centavos: number;
  /** Lost in a dispute. */
  readonly charged_back_centavos: number;
}

const AUTHORIZED: ReadonlySet<PaymentState> = new Set([
  'pre_authorized',
  'AUTHORIZED',
  'capture_requested',
  'capture_unknown',
  'void_requested',
  'void_unknown',
]);

/** The amounts of a payment. A dispute is about all that was captured and not refunded. */
export function amountsOf(payment: Payment): PaymentAmounts {
  const recorded = recordedAmounts(payment);
  const { captured_centavos, refunded_centavos } = recorded;
  const left_centavos = captured_centavos - refunded_centavos;
  const isLost = payment.status === 'chargeback_lost';
  const isDisputed = payment.status.startsWith('chargeback_') && !isLost;
  return {
    ...recorded,
    authorized_centavos: AUTHORIZED.has(stateOf(payment)) ? payment.amount_centavos : 0,
    disputed_centavos: isDisputed ? left_centavos : 0,
    charged_back_centavos: isLost ? left_centavos : 0,
  };
}

/** The amounts that the record of a payment holds, and that moves change. */
export type RecordedAmounts = Pick<Payment, 'captured_centavos' | 'refunding_centavos' | 'refunded_centavos'>;

export function recordedAmounts(payment: Payment): RecordedAmounts {
  const { captured_centavos, refunding_centavos, refunded_centavos } = payment;
  return { captured_centavos, refunding_centavos, refunded_centavos };
}

/** The amounts after a move of `amount_centavos`. */
type AmountRule = (before: RecordedAmounts, amount_centavos: number) => Partial<RecordedAmounts>;

const capture: AmountRule = (_, amount_centavos) => ({ captured_centavos: amount_centavos });

/** The moves that change amounts, and how. All other moves leave the amounts as they are. */
const AMOUNT_RULES = {
  settle: capture,
  settle_cycle: capture,
  settle_first: capture,
  settle_recurring: capture,
  capture,
  request_refund: ({ refunding_centavos }, amount_centavos) => ({
    refunding_centavos: refunding_centavos + amount_centavos,
  }),
  complete_refund: ({ refunding_centavos, refunded_centavos }, amount_centavos) => ({
    refunding_centavos: refunding_centavos - amount_centavos,
    refunded_centavos: refunded_centavos + amount_centavos,
  }),
  deny_refund: ({ refunding_centavos }, amount_centavos) => ({
    refunding_centavos: refunding_centavos - amount_centavos,
  }),
} as const satisfies Record<string, AmountRule>;

/** A move that is about an amount. */
export type AmountMove = keyof typeof AMOUNT_RULES;

/** The amounts that a payment's record holds after a move. Throws when they are impossible. */
export function amountsAfter(payment: Payment, move: AmountMove, amount_centavos: number): RecordedAmounts {
  const before = recordedAmounts(payment);
  const after = { ...before, ...AMOUNT_RULES[move](before, amount_centavos) };
  if (!isPossible(payment, after)) {
    throw new Error(`The payment ${payment.id} cannot ${move} ${amount_centavos} centavos.`);
  }
  return after;
}

function isPossible(payment: Payment, amounts: RecordedAmounts): boolean {
  const { captured_centavos, refunding_centavos, refunded_centavos } = amounts;
  return (
    captured_centavos > 0 &&
    captured_centavos <= payment.amount_centavos &&
    refunding_centavos >= 0 &&
    refunded_centavos >= 0 &&
    refunding_centavos + refunded_centavos <= captured_centavos
  );
}

/** The status of a captured payment without a dispute, which follows from its amounts. */
export function settledStatus(amounts: RecordedAmounts): PaymentStatus {
  if (amounts.refunding_centavos > 0) return 'refund_in_progress';
  if (amounts.refunded_centavos === 0) return 'paid';
  return amounts.refunded_centavos < amounts.captured_centavos ? 'partially_refunded' : 'refunded';
}
