import type { Move } from '../state-machine.ts';
import type { PaymentStatus } from './payment.ts';
import type { PaymentEvent } from './payment-events.ts';
import { type PaymentMove, paymentMachine } from './payment-moves.ts';
import { type PaymentState, recordOfState } from './payment-state.ts';

/** A move as merchants see it: between statuses. */
export type StatusMove = Pick<Move<PaymentStatus, PaymentEvent>, 'from' | 'to' | 'keeps' | 'events'>;

/** The moves that merchants see: those that change the status or emit events. */
export const PAYMENT_STATUS_MOVES: Readonly<Partial<Record<PaymentMove, StatusMove>>> = Object.fromEntries(
  Object.entries(paymentMachine.moves)
    .filter(([, { from, to, events }]) => events.length > 0 || isSeen(from, to))
    .map(([name, { from, to, keeps = [], events }]) => [
      name,
      { from: statusesOf(from), to: statusesOf(to), keeps: statusesOf(keeps), events },
    ]),
);

function statusesOf(states: readonly PaymentState[]): PaymentStatus[] {
  return [...new Set(states.map((state) => recordOfState(state).status))];
}

function isSeen(from: readonly PaymentState[], to: readonly PaymentState[]): boolean {
  const before = new Set(statusesOf(from));
  return statusesOf(to).some((status) => !before.has(status));
}
