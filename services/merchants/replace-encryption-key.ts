import { findMerchantById } from '../../db/merchants/merchants.ts';
import { replaceMerchantKeys } from '../../db/vault/merchant-keys.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';
import { newMerchantKeys } from '../vault/merchant-keys.ts';

/**
 * Gives a merchant a new encryption key and a new key pair for the cards of its buyers, and returns the encryption key,
 * which is not shown again. From then on a card that was encrypted with the keys before is an unreadable one. Cards
 * that are stored do not depend on these keys. Refusal: `not_found`.
 */
export async function replaceEncryptionKey(
  { db, vault, wall }: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
): Promise<string> {
  const merchant = await findMerchantById(db, merchantId);
  if (merchant === undefined) throw notFound('Merchant');
  const { encryptionKey, ...stored } = await newMerchantKeys(vault, merchantId);
  await replaceMerchantKeys(db, merchant, stored, wall());
  return encryptionKey;
}
