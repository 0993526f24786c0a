import { findCardOfToken, updateCardOfToken } from '../../db/cards/network-tokens.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { slotOfHash } from '../../domain/identifiers.ts';
import type { CardUpdate } from '../../gateway/acquirer.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';

/** applied: the card changed. known: it had changed before, or was deleted. unknown: no token has the reference. */
export type AppliedUpdate = 'applied' | 'known' | 'unknown';

/**
 * Writes what a network reports about the card of a token: another expiry, or another number after the issuer has
 * replaced the card. The token stays the same. A report that arrives again, or after a later one, changes nothing.
 */
export async function applyCardUpdate(deps: Deps, update: CardUpdate): Promise<AppliedUpdate> {
  const slot = slotOfHash(update.reference);
  const found = slot === null ? undefined : await findCardOfToken(deps.db, slot, update.reference);
  const merchant = found?.merchantId === update.account ? await findMerchant(deps.db, found) : undefined;
  if (found === undefined || merchant === undefined) {
    const { id, account, reference, type } = update;
    deps.log.error(
      { notification_id: id, account, reference, type },
      'a notification carries an unknown reference',
    );
    return 'unknown';
  }
  const { cardId } = found;
  return deps.db.transaction(merchant, async (tx) => {
    const isNews = await updateCardOfToken(tx, merchant, { cardId, ...update.card, at: update.occurredAt });
    if (!isNews) return 'known';
    await recordClockStep(deps, tx, merchant, { step: 'acquirer_network_token_updated', objectId: cardId });
    return 'applied';
  });
}
