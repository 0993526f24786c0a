import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { DiscrepancyStatus } from './discrepancy.ts';

/** A discrepancy is created open. No move changes a payment. */
const MOVES = {
  /** A person has looked into it (`operator`), or a later comparison with the settlement files agrees (`clock`). */
  close: { from: ['open'], to: ['closed'], by: ['operator', 'clock'], events: [] },
} as const satisfies Moves<DiscrepancyStatus>;

export type DiscrepancyMove = keyof typeof MOVES;
export const discrepancyMachine: StateMachine<DiscrepancyStatus, DiscrepancyMove> = stateMachine(
  'a discrepancy',
  MOVES,
);
