import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { PaymentLinkState } from './payment-link.ts';

/** A payment link is created active. Both moves may be repeated. */
const MOVES = {
  disable: { from: ['active', 'disabled'], to: ['disabled'], by: ['merchant'], events: [] },
  enable: { from: ['active', 'disabled'], to: ['active'], by: ['merchant'], events: [] },
} as const satisfies Moves<PaymentLinkState>;

export type PaymentLinkMove = keyof typeof MOVES;
export const paymentLinkMachine: StateMachine<PaymentLinkState, PaymentLinkMove> = stateMachine(
  'a payment link',
  MOVES,
);
