import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { DisputeStatus } from './dispute.ts';

const OPEN = ['requested', 'dispute'] as const;

/** Every change of a dispute. It follows its payment, whose moves emit the events. */
const MOVES = {
  /** The merchant sent evidence, or the bank examines the dispute. */
  contest: { from: OPEN, to: ['dispute'], by: ['acquirer'], events: [] },
  win: { from: OPEN, to: ['won'], by: ['acquirer'], events: [] },
  lose: { from: OPEN, to: ['lost'], by: ['acquirer'], events: [] },
  /** A refund that was requested before the dispute completed. */
  reduce: { from: [], to: [], keeps: [...OPEN, 'lost'], by: ['acquirer'], events: [] },
} as const satisfies Moves<DisputeStatus>;

export type DisputeMove = keyof typeof MOVES;

export const disputeMachine: StateMachine<DisputeStatus, DisputeMove> = stateMachine('a dispute', MOVES);
