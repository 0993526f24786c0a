import { movePaymentRow } from '../../db/payments/move-payment-row.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { paymentMachine } from '../../domain/payments/payment-moves.ts';
import { planMoves, type RequestedMove } from '../../domain/payments/plan-moves.ts';
import type { Actor } from '../../domain/state-machine.ts';
import type { TransactionContext } from '../deps.ts';
import { paymentEvent } from './payment-event.ts';

/**
 * Makes moves of a payment that the caller has locked, one after another, and returns the payment after the last. The
 * state, the amounts and the details of a payment change here only, and all that follows from a change is written here:
 * the row, and the events of each move with the payment as it is after that move. Ledger entries belong here too: they
 * follow from the amounts before and after each move.
 *
 * Throws when the state machine does not allow a move: callers ask `mayMove` first. `at` is the merchant's time as the
 * caller read it. The clock of the sandbox may have been advanced since, so a move never gets a time before the last
 * change of the payment.
 */
export async function movePayment(
  { deps, tx, merchant }: TransactionContext,
  payment: Payment,
  { by, at: asOf }: { readonly by: Actor; readonly at: Date },
  ...moves: readonly RequestedMove[]
): Promise<Payment> {
  const at = asOf < payment.updatedAt ? payment.updatedAt : asOf;
  const transitions = planMoves(payment, moves, { by, at });
  const after = transitions.at(-1)?.payment ?? payment;
  const events = transitions.flatMap((transition) =>
    paymentMachine.moves[transition.move].events.map((event) =>
      paymentEvent(deps, event, transition.payment, at),
    ),
  );
  const isWritten = await movePaymentRow(tx, merchant, { before: payment, after, events });
  if (!isWritten) throw new Error(`The payment ${payment.id} was changed without its lock.`);
  return after;
}
