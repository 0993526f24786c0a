import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import { MERCHANT_STATUSES, type MerchantStatus } from './merchant.ts';

/** A merchant's account. Only an approved account takes payments. A suspended one can still read, and give refunds. */
const MOVES = {
  approve: { from: MERCHANT_STATUSES, to: ['approved'], by: ['operator'], events: [] },
  suspend: { from: MERCHANT_STATUSES, to: ['suspended'], by: ['operator'], events: [] },
  /** Back to the state before the first approval. */
  review: { from: MERCHANT_STATUSES, to: ['pending'], by: ['operator'], events: [] },
} as const satisfies Moves<MerchantStatus>;

export type MerchantMove = keyof typeof MOVES;
export const merchantMachine: StateMachine<MerchantStatus, MerchantMove> = stateMachine('a merchant', MOVES);

/** The move that leads to each status. */
export const MERCHANT_MOVE_TO: Readonly<Record<MerchantStatus, MerchantMove>> = {
  pending: 'review',
  approved: 'approve',
  suspended: 'suspend',
};
