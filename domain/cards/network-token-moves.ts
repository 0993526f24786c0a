import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import { NETWORK_TOKEN_STATUSES, type NetworkTokenStatus } from './card.ts';

/**
 * The network token of a card. It starts as `requested` if the network of the brand issues tokens, otherwise as `none`.
 * The token of a card that a buyer typed is requested by the approval of its first payment.
 */
const MOVES = {
  request: { from: ['none', 'failed'], to: ['requested'], by: ['merchant', 'acquirer'], events: [] },
  /** The number was stored again, because the number or the token could not be read any more. */
  renew: { from: ['requested', 'active', 'failed'], to: ['requested'], by: ['merchant'], events: [] },
  /** The network has not answered, or not decided yet. The request is sent again later. */
  retry: { from: ['requested'], to: ['requested'], by: ['acquirer'], events: [] },
  activate: { from: ['requested'], to: ['active'], by: ['acquirer'], events: [] },
  /** Refused, or still without an answer after the last attempt. */
  fail: { from: ['requested'], to: ['failed'], by: ['acquirer', 'clock'], events: [] },
  /** The card is deleted. */
  erase: { from: NETWORK_TOKEN_STATUSES, to: ['none'], by: ['merchant'], events: [] },
} as const satisfies Moves<NetworkTokenStatus>;

export type NetworkTokenMove = keyof typeof MOVES;
export const networkTokenMachine: StateMachine<NetworkTokenStatus, NetworkTokenMove> = stateMachine(
  'a network token',
  MOVES,
);
