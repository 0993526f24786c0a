import { claimDueTokens, type DueNetworkToken, slotsWithDueTokens } from '../db/network-tokens.ts';
import type { Deps } from '../services/deps.ts';
import { fetchNetworkToken } from '../services/fetch-network-token.ts';

/** Longer than the acquirer's client waits for an answer; then another process may ask. */
const LEASE_MS = 60_000;
/** Asked at once, per slot. */
const BATCH = 20;

/** Asks for the network tokens that are due; resolves to how many it asked for. */
export async function runOnce(deps: Deps): Promise<number> {
  let asked = 0;
  for (const slot of await slotsWithDueTokens(deps.db, deps.wall())) {
    const wall = deps.wall();
    const leasedUntil = new Date(wall.getTime() + LEASE_MS);
    const claimed = await claimDueTokens(deps.db, slot, { wall, leasedUntil, limit: BATCH });
    await Promise.all(claimed.map((due) => fetchOrLog(deps, due)));
    asked += claimed.length;
  }
  return asked;
}

/** One card's trouble is not the others'; it is found again when its lease ends. */
async function fetchOrLog(deps: Deps, due: DueNetworkToken): Promise<void> {
  try {
    await fetchNetworkToken(deps, due);
  } catch (error) {
    deps.log.error({ card_id: due.cardId, err: error }, 'network token not fetched');
  }
}
