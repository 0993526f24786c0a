import { moveTokenRow, type TokenChange } from '../../db/cards/network-tokens.ts';
import type { Queryable } from '../../db/engine/database.ts';
import { type NetworkTokenMove, networkTokenMachine } from '../../domain/cards/network-token-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';

/**
 * Moves the network token of a card. Its status changes nowhere else. Missing fields of `change` are null. Returns
 * false and writes nothing when the state of the token does not allow the move, or the card was deleted.
 */
export function moveNetworkToken(
  q: Queryable,
  scope: MerchantScope,
  move: NetworkTokenMove,
  { by, ...change }: { readonly by: Actor } & Pick<TokenChange, 'cardId' | 'at'> & Partial<TokenChange>,
): Promise<boolean> {
  const nothing = { sealed: null, dueAt: null, newReference: null, ofReference: null };
  return moveTokenRow(q, scope, { ...networkTokenMachine.rowMove(move, by), ...nothing, ...change });
}
