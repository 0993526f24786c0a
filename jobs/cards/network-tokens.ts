import { claimDueTokens, type DueNetworkToken, slotsWithDueTokens } from '../../db/cards/network-tokens.ts';
import { fetchNetworkToken } from '../../services/cards/fetch-network-token.ts';
import type { Deps } from '../../services/deps.ts';
import type { Work } from '../work-loop.ts';

/** Longer than the acquirer's client waits for an answer. Then another process may send the request. */
const LEASE_MS = 60_000;

/** Cards whose network token is due to be requested. */
export function networkTokens(deps: Deps): Work<DueNetworkToken> {
  return {
    lease_ms: LEASE_MS,
    findSlots: (wall) => slotsWithDueTokens(deps.db, wall),
    claim: (slot, claim) => claimDueTokens(deps.db, slot, claim),
    run: (due) => fetchNetworkToken(deps, due),
    // The card is claimed again when its lease ends.
    failure: ({ cardId }) => ({ message: 'network token not fetched', fields: { card_id: cardId } }),
  };
}
