import type { CardPublicKey } from '../../domain/cards/card-encryption.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';

/** The sealed keys with which the cards of a merchant's buyers are decrypted. */
export async function findSealedKeys(
  q: Queryable,
  scope: MerchantScope,
): Promise<{ encryptionKeySealed: Buffer; privateKeySealed: Buffer }> {
  const row = await q.one<{ encryption_key_sealed: Buffer; private_key_sealed: Buffer }>(
    scope,
    'select encryption_key_sealed, private_key_sealed from merchants where {scope}',
  );
  return { encryptionKeySealed: row.encryption_key_sealed, privateKeySealed: row.private_key_sealed };
}

/** The public key with which cards can be encrypted as JWE. */
export async function findPublicKey(q: Queryable, scope: MerchantScope): Promise<CardPublicKey> {
  const row = await q.one<{ public_key_jwk: CardPublicKey }>(
    scope,
    'select public_key_jwk from merchants where {scope}',
  );
  return row.public_key_jwk;
}
