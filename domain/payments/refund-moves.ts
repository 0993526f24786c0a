import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { RefundStatus } from './refund.ts';

/** A refund. The moves of its payment (`complete_refund`, `deny_refund`) emit the events. */
const MOVES = {
  succeed: { from: ['in_progress'], to: ['succeeded'], by: ['acquirer'], events: [] },
  deny: { from: ['in_progress'], to: ['denied'], by: ['acquirer'], events: [] },
} as const satisfies Moves<RefundStatus>;

export type RefundMove = keyof typeof MOVES;
export const refundMachine: StateMachine<RefundStatus, RefundMove> = stateMachine('a refund', MOVES);
