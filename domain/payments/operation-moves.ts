import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { OperationState } from './payment-operation.ts';

/** A command to the acquirer. It is settled once, by the acquirer's answer, and never changes after. */
const MOVES = {
  approve: { from: ['pending'], to: ['approved'], by: ['acquirer'], events: [] },
  /** Also for a reference that the acquirer never received and has sealed. */
  refuse: { from: ['pending'], to: ['refused'], by: ['acquirer'], events: [] },
} as const satisfies Moves<OperationState>;

export type OperationMove = keyof typeof MOVES;
export const operationMachine: StateMachine<OperationState, OperationMove> = stateMachine(
  'an operation',
  MOVES,
);
