import { encryptAes } from './aes.ts';
import { CardError, EncryptionSetupError } from './card-error.ts';
import { cardHolderOf } from './card-holder.ts';
import { encryptJwe, type PublicJwk } from './jwe.ts';
import { type Card, normalized, validateCard } from './validate-card.ts';

/** The answer of `GET /cards/encryption-key`, or the `jwk` in it, or the merchant's 32-character encryption key. */
export type EncryptionKey = PublicJwk | { readonly jwk: PublicJwk } | string;

const AES_KEY = /^[ -~]{32}$/;

/**
 * Encrypts a card for the field `encrypted` of `POST /cards`: JWE with the public key, or the AES form if `key` is the
 * 32-character string. Rejects with a CardError if the card is invalid, and with an EncryptionSetupError if the key is
 * invalid or the browser does not allow cryptography on this page (it does over https and on localhost).
 */
export async function encryptCard(card: Card, key: EncryptionKey): Promise<string> {
  const problems = validateCard(card ?? {});
  if (problems.length > 0) throw new CardError(problems);
  if (globalThis.crypto?.subtle === undefined)
    throw new EncryptionSetupError('insecure_page', 'Cards can only be encrypted on https pages.');
  const cardHolder = cardHolderOf(card.cardHolder);
  const text = JSON.stringify({ cardData: normalized(card), ...(cardHolder && { cardHolder }) });
  if (typeof key === 'string') {
    if (!AES_KEY.test(key)) throw invalidKey('The encryption key has 32 ASCII characters.');
    return encryptAes(text, key);
  }
  const jwk = key !== null && typeof key === 'object' && 'jwk' in key ? key.jwk : key;
  if (jwk?.kty !== 'RSA')
    throw invalidKey('The key is neither the answer of /cards/encryption-key nor a string.');
  const { use = 'enc', alg = 'RSA-OAEP-256' } = jwk;
  if (use !== 'enc' || alg !== 'RSA-OAEP-256')
    throw invalidKey('The public key is not for encrypting cards: use must be enc and alg RSA-OAEP-256.');
  try {
    return await encryptJwe(text, jwk);
  } catch {
    throw invalidKey('The public key cannot be used: is it the whole jwk of /cards/encryption-key?');
  }
}

function invalidKey(message: string): EncryptionSetupError {
  return new EncryptionSetupError('invalid_key', message);
}
