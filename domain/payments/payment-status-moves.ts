import type { Move } from '../state-machine.ts';
import type { PaymentStatus } from './payment.ts';
import { type PaymentEvent, type PaymentMove, paymentMachine } from './payment-moves.ts';
import { type PaymentState, recordOfState } from './payment-state.ts';

/** A move as merchants see it: between statuses. */
export type StatusMove = Pick<Move<PaymentStatus, PaymentEvent>, 'from' | 'to' | 'keeps' | 'events'>;

/** The moves that merchants see. A move without events is not seen. */
export const PAYMENT_STATUS_MOVES: Readonly<Partial<Record<PaymentMove, StatusMove>>> = Object.fromEntries(
  Object.entries(paymentMachine.moves)
    .filter(([, { events }]) => events.length > 0)
    .map(([name, { from, to, keeps = [], events }]) => [
      name,
      { from: statusesOf(from), to: statusesOf(to), keeps: statusesOf(keeps), events },
    ]),
);

function statusesOf(states: readonly PaymentState[]): PaymentStatus[] {
  return [...new Set(states.map((state) => recordOfState(state).status))];
}
