import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { DeliveryStatus } from './delivery.ts';

/** A delivery. An attempt ends in one of the first three moves. */
const MOVES = {
  succeed: { from: ['pending'], to: ['succeeded'], by: ['clock'], events: [] },
  /** The attempt failed, and another one follows. */
  retry: { from: ['pending'], to: ['pending'], by: ['clock'], events: [] },
  /** The last attempt of the schedule failed. */
  fail: { from: ['pending'], to: ['failed'], by: ['clock'], events: [] },
  /** The endpoint was disabled or deleted. */
  drop: { from: ['pending'], to: ['failed'], by: ['clock'], events: [] },
  redeliver: { from: ['pending', 'succeeded', 'failed'], to: ['pending'], by: ['merchant'], events: [] },
} as const satisfies Moves<DeliveryStatus>;

export type DeliveryMove = keyof typeof MOVES;
export const deliveryMachine: StateMachine<DeliveryStatus, DeliveryMove> = stateMachine(
  'a webhook delivery',
  MOVES,
);
