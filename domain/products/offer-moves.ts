import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { OfferState } from './offer.ts';

/** An offer is created active. Both moves may be repeated. */
const MOVES = {
  archive: { from: ['active', 'archived'], to: ['archived'], by: ['merchant'], events: [] },
  restore: { from: ['active', 'archived'], to: ['active'], by: ['merchant'], events: [] },
} as const satisfies Moves<OfferState>;

export type OfferMove = keyof typeof MOVES;
export const offerMachine: StateMachine<OfferState, OfferMove> = stateMachine('an offer', MOVES);
