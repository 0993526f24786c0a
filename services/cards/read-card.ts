import { findSealedKeys } from '../../db/vault/merchant-keys.ts';
import { type CardData, cardDataOf, validateCard } from '../../domain/cards/card-data.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';
import { Violations } from '../refusal.ts';
import { merchantKeyContext } from '../vault/merchant-keys.ts';
import { type CardSender, refusalOfFailure, refuseAfterManyFailures } from './card-failures.ts';
import { openEncryptedCard } from './encrypted-card.ts';

export interface EncryptedCard {
  readonly encrypted: string;
  readonly sender: CardSender;
}

/**
 * Decrypts and validates a card. Refusals, in this order: `too_many_unreadable_cards`, `unreadable_card`, fields of the
 * card as `card.number`.
 */
export async function readEncryptedCard(
  deps: Deps,
  merchant: Merchant,
  { encrypted, sender }: EncryptedCard,
): Promise<CardData> {
  await refuseAfterManyFailures(deps, merchant, sender);
  const sealed = await findSealedKeys(deps.db, merchant);
  const { encryptionKey, privateKey } = merchantKeyContext;
  const card = await openEncryptedCard(encrypted, {
    encryptionKey: (
      await deps.vault.open(sealed.encryptionKeySealed, encryptionKey(merchant.merchantId))
    ).toString('latin1'),
    privateKey: await deps.vault.open(sealed.privateKeySealed, privateKey(merchant.merchantId)),
  });
  if (card === null) throw await refusalOfFailure(deps, merchant, sender);
  const violations = new Violations();
  for (const { field, message } of validateCard(card, merchantDay(now(deps, merchant)))) {
    violations.add(`card.${field}`, message);
  }
  violations.throwIfAny();
  return cardDataOf(card);
}
