import { movePaymentRow } from '../../db/payments/move-payment-row.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import { timeOfChange } from '../../domain/instants.ts';
import { debitEntryId } from '../../domain/ledger/entry.ts';
import type { Posting } from '../../domain/ledger/posting.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { paymentMachine } from '../../domain/payments/payment-moves.ts';
import { type PaymentTransition, planMoves, type RequestedMove } from '../../domain/payments/plan-moves.ts';
import type { Actor } from '../../domain/state-machine.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import { paymentEvent } from './payment-event.ts';

/**
 * Makes moves of a payment that the caller has locked, one after another, and returns the payment after the last. The
 * state, the amounts and the details of a payment change here only, and all that follows from a change is written here:
 * the row, the events of each move with the payment as it is after that move, the ledger transfers of its amounts, and
 * what the listeners of other areas write.
 *
 * Throws when the state machine does not allow a move: callers ask `mayMove` first. `at` is the merchant's time as the
 * caller read it. The clock of the sandbox may have been advanced since, or that of another process may be ahead, so a
 * move never gets a time before the last change of the payment.
 */
export async function movePayment(
  context: TransactionContext,
  payment: Payment,
  { by, at: asOf }: { readonly by: Actor; readonly at: Date },
  ...moves: readonly RequestedMove[]
): Promise<Payment> {
  const { deps, tx, merchant } = context;
  const at = timeOfChange(asOf, payment.updatedAt);
  const transitions = planMoves(payment, moves, { by, at, fees: planNamed(merchant.plan).fees });
  const after = transitions.at(-1)?.payment ?? payment;
  const events = transitions.flatMap((transition) => eventsOf(deps, transition, at));
  const postings = transitions
    .filter(({ transfers }) => transfers.length > 0)
    .map((transition) => postingOf(deps, transition, at));
  const isWritten = await movePaymentRow(tx, merchant, { before: payment, after, events, postings });
  if (!isWritten) throw new Error(`The payment ${payment.id} was changed without its lock.`);
  const change = { before: payment, after, by, transitions, at };
  for (const listener of deps.paymentListeners) await listener.changed(context, change);
  return after;
}

function eventsOf(deps: Deps, { move, payment }: PaymentTransition, at: Date): EventRecord[] {
  return paymentMachine.moves[move].events.map((event) => paymentEvent(deps, event, payment, at));
}

/** The ledger transfers of a move, with their ids. */
function postingOf(deps: Deps, { payment, reference, transfers }: PaymentTransition, at: Date): Posting {
  return {
    id: newId(deps, at),
    paymentId: payment.id,
    reference,
    at,
    transfers: transfers.map((transfer) => ({ ...transfer, id: debitEntryId(newId(deps, at)) })),
  };
}

function newId(deps: Deps, at: Date): string {
  return uuidV7(at.getTime(), deps.random);
}
