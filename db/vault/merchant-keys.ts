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

/** Replaces the keys with which the cards of a merchant's buyers are encrypted. All of them change together. */
export async function replaceMerchantKeys(
  q: Queryable,
  scope: MerchantScope,
  keys: {
    readonly encryptionKeySealed: Buffer;
    readonly privateKeySealed: Buffer;
    readonly publicKeyJwk: CardPublicKey;
  },
  at: Date,
): Promise<void> {
  await q.rows(
    scope,
    `update merchants set encryption_key_sealed = :encryption_key_sealed, private_key_sealed = :private_key_sealed,
       public_key_jwk = :public_key_jwk, updated_at = :at where {scope}`,
    {
      encryption_key_sealed: keys.encryptionKeySealed,
      private_key_sealed: keys.privateKeySealed,
      public_key_jwk: JSON.stringify(keys.publicKeyJwk),
      at,
    },
  );
}
