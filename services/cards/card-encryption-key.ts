import { timingSafeEqual } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { findPublicKey } from '../../db/vault/merchant-keys.ts';
import type { CardPublicKey } from '../../domain/cards/card-encryption.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

/**
 * The public key with which the merchant's pages can encrypt cards as JWE. Its `kid` is the thumbprint of the key and a
 * mark of this service, so that `isOwnCardKey` recognizes it without its merchant.
 */
export async function cardEncryptionKey(
  deps: Pick<Deps, 'db' | 'hash'>,
  merchant: MerchantScope,
): Promise<CardPublicKey> {
  const key = await findPublicKey(deps.db, merchant);
  return { ...key, kid: markedKeyId(deps, key.kid) };
}

/** Whether a key is the public key of a merchant of this service. */
export async function isOwnCardKey(
  deps: Pick<Deps, 'hash'>,
  { n, e, kid }: Pick<CardPublicKey, 'n' | 'e' | 'kid'>,
): Promise<boolean> {
  const expected = Buffer.from(markedKeyId(deps, await calculateJwkThumbprint({ kty: 'RSA', n, e })));
  const given = Buffer.from(kid);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function markedKeyId({ hash }: Pick<Deps, 'hash'>, thumbprint: string): string {
  return `${thumbprint}.${hash('card-key', thumbprint).toString('base64url')}`;
}
