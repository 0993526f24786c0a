import { findPublicKey } from '../../db/vault/merchant-keys.ts';
import type { CardPublicKey } from '../../domain/cards/card-encryption.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

/** The public key with which the merchant's pages can encrypt cards as JWE. */
export async function cardEncryptionKey(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
): Promise<CardPublicKey> {
  return findPublicKey(deps.db, merchant);
}
