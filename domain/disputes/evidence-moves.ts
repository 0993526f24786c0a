import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';

/** pending: the acquirer may not have it yet. */
export type EvidenceState = 'pending' | 'accepted' | 'refused';

/** Evidence that is sent to the acquirer. It is settled once, by the acquirer's answer, and never changes after. */
const MOVES = {
  accept: { from: ['pending'], to: ['accepted'], by: ['acquirer'], events: [] },
  /** Also for a reference that the acquirer never received and has sealed. */
  refuse: { from: ['pending'], to: ['refused'], by: ['acquirer'], events: [] },
} as const satisfies Moves<EvidenceState>;

export type EvidenceMove = keyof typeof MOVES;
export const evidenceMachine: StateMachine<EvidenceState, EvidenceMove> = stateMachine('evidence', MOVES);
