import { claimDueTokens, type DueNetworkToken, slotsWithDueTokens } from '../db/cards/network-tokens.ts';
import { fetchNetworkToken } from '../services/cards/fetch-network-token.ts';
import type { Deps } from '../services/deps.ts';
import { type Work, WorkLoop } from '../services/work-loop.ts';

/** Longer than the acquirer's client waits for an answer; then another process may ask. */
const LEASE_MS = 60_000;

/** Cards whose network token is to be asked for. */
export function tokensToFetch(deps: Deps): Work<DueNetworkToken> {
  return {
    findSlots: () => slotsWithDueTokens(deps.db, deps.wall()),
    claim: (slot, claim) => {
      const wall = deps.wall();
      const leasedUntil = new Date(wall.getTime() + LEASE_MS);
      return claimDueTokens(deps.db, slot, { ...claim, wall, leasedUntil });
    },
    run: (due) => fetchNetworkToken(deps, due),
    // It is found again when its lease ends.
    failure: ({ cardId }) => ({ message: 'network token not fetched', fields: { card_id: cardId } }),
  };
}

/** Asks for the network tokens that are due; resolves to how many it asked for. */
export async function runOnce(deps: Deps): Promise<number> {
  return (await new WorkLoop(deps, tokensToFetch(deps)).runToEnd()).claimed;
}
