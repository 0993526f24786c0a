import type { Transfer } from '../ledger/transfers.ts';
import type { FeeRates, PaymentMethod } from '../merchants/payment-methods.ts';
import type { Actor } from '../state-machine.ts';
import type { DisputeNotice } from './dispute-notice.ts';
import type { MethodDetails } from './methods/index.ts';
import type { Payment } from './payment.ts';
import {
  type AmountMove,
  amountsAfter,
  amountsOf,
  type PaymentAmounts,
  recordedAmounts,
  settledStatus,
} from './payment-amounts.ts';
import { transfersBetween, withCaptureTerms } from './payment-ledger.ts';
import { type PaymentMove, paymentMachine } from './payment-moves.ts';
import { isOpen, type PaymentState, recordOfState, stateOf } from './payment-state.ts';
import type { PaymentRefusal } from './refusal-reasons.ts';

/** What a move may change in addition to the state and the amounts. Absent fields do not change. */
export interface PaymentDetails<M extends PaymentMethod = PaymentMethod> {
  /** Data of the payment's method. */
  readonly method?: Partial<MethodDetails[M]>;
  readonly refusal?: PaymentRefusal;
  /** Set for a refusal if the acquirer never received the charge. */
  readonly isUnsent?: true;
  /**
   * When the payment's next step is due by the merchant's clock; null if none is. Ignored once the payment has ended.
   */
  readonly dueAt?: Date | null;
  /** Set if a dispute is opened. */
  readonly dispute?: DisputeNotice;
}

/** One move of a payment, with what changes in it. */
export type RequestedMove = (
  | {
      readonly move: AmountMove;
      readonly amount_centavos: number;
      /** The reference of the ledger entries, where it is not the payment's: that of a refund. */
      readonly reference?: string;
    }
  | {
      readonly move: Exclude<PaymentMove, AmountMove>;
      readonly amount_centavos?: never;
      readonly reference?: never;
    }
) & { readonly details?: PaymentDetails };

/**
 * A move that was made: the payment after it, its amounts before and after, and the transfers that follow from them.
 */
export interface PaymentTransition {
  readonly move: PaymentMove;
  readonly details: PaymentDetails | undefined;
  readonly payment: Payment;
  readonly before: PaymentAmounts;
  readonly after: PaymentAmounts;
  readonly transfers: readonly Transfer[];
  /** The reference of the transfers. */
  readonly reference: string;
}

export interface MoveContext {
  readonly by: Actor;
  /** Merchant's time. */
  readonly at: Date;
  /** The rates of the merchant's plan, for a capture. */
  readonly fees: FeeRates;
}

/**
 * Makes moves of a payment in memory, one after another. Throws when the state machine does not allow one, or when the
 * amounts would be impossible.
 */
export function planMoves(
  payment: Payment,
  moves: readonly RequestedMove[],
  context: MoveContext,
): PaymentTransition[] {
  let current = payment;
  return moves.map((requested) => {
    const before = current;
    current = applyMove(before, requested, context);
    return {
      move: requested.move,
      details: requested.details,
      payment: current,
      before: amountsOf(before),
      after: amountsOf(current),
      transfers: transfersBetween(before, current),
      reference: requested.reference ?? payment.reference,
    };
  });
}

function applyMove(payment: Payment, requested: RequestedMove, { by, at, fees }: MoveContext): Payment {
  const { move, details } = requested;
  const amounts =
    requested.amount_centavos === undefined
      ? recordedAmounts(payment)
      : amountsAfter(payment, requested.move, requested.amount_centavos);
  const record = recordOfState(stateAfter(payment, move, by, settledStatus(amounts)));
  const step = record.status === payment.status ? [] : [{ status: record.status, at }];
  // A move without events changes nothing that the merchant sees, unless it adds data of the method.
  const isVisible = details?.method !== undefined || paymentMachine.moves[move].events.length > 0;
  const moved: Payment = {
    ...payment,
    ...record,
    ...amounts,
    details: detailsAfter(payment, details),
    refusal: details?.refusal ?? payment.refusal,
    dueAt: isOpen(record) ? dueAfter(payment, details) : null,
    history: [...payment.history, ...step],
    updatedAt: isVisible ? at : payment.updatedAt,
  };
  return withCaptureTerms(payment, moved, { at, fees });
}

function detailsAfter({ details: stored }: Payment, details: PaymentDetails | undefined): Payment['details'] {
  if (details?.method === undefined) return stored;
  // The caller takes the data from the module of the payment's method, so both are of the same method.
  return { ...stored, ...details.method } as Payment['details'];
}

function dueAfter(payment: Payment, details: PaymentDetails | undefined): Date | null {
  return details?.dueAt === undefined ? payment.dueAt : details.dueAt;
}

/** With several targets, the amounts decide. */
function stateAfter(payment: Payment, move: PaymentMove, by: Actor, settled: PaymentState): PaymentState {
  const state = stateOf(payment);
  const { to, keeps = [] } = paymentMachine.moves[move];
  const isDecidedByAmounts = to.length > 1 && !keeps.includes(state);
  return paymentMachine.next(move, state, isDecidedByAmounts ? { by, to: settled } : { by });
}
