import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';
import type { CardPublicKey } from '../../domain/cards/card-encryption.ts';
import { BASE62, randomText } from '../../domain/random-text.ts';
import type { Vault } from './vault.ts';

/** Used as the 32 bytes of an AES-256 key (contract row 4.1). */
const ENCRYPTION_KEY_CHARACTERS = 32;
/**
 * NIST SP 800-57 part 1, table 2: acceptable beyond 2030 for keys that can be replaced. 3072 bits would double the
 * time.
 */
const MODULUS_BITS = 2048;

const newKeyPair = promisify(generateKeyPair);

/** The keys with which a merchant's buyers encrypt their cards, as table merchants stores them. */
export interface MerchantKeys {
  /** Unencrypted, shown once: 32 characters of base62. */
  readonly encryptionKey: string;
  readonly encryptionKeySealed: Buffer;
  /** A sealed PKCS #8 DER key. */
  readonly privateKeySealed: Buffer;
  readonly publicKeyJwk: CardPublicKey;
}

/** The vault contexts of the keys of a merchant. */
export const merchantKeyContext = {
  encryptionKey: (merchantId: string) => `merchants.encryption_key:${merchantId}`,
  privateKey: (merchantId: string) => `merchants.private_key:${merchantId}`,
};

/** Creates both keys of a merchant. The key pair takes about 100 ms, not on the main thread. */
export async function newMerchantKeys(vault: Vault, merchantId: string): Promise<MerchantKeys> {
  const { publicKey, privateKey } = await newKeyPair('rsa', { modulusLength: MODULUS_BITS });
  const encryptionKey = randomText(BASE62, ENCRYPTION_KEY_CHARACTERS, randomBytes);
  const { encryptionKey: keyContext, privateKey: privateContext } = merchantKeyContext;
  return {
    encryptionKey,
    encryptionKeySealed: vault.seal(encryptionKey, keyContext(merchantId)),
    privateKeySealed: vault.seal(
      privateKey.export({ type: 'pkcs8', format: 'der' }),
      privateContext(merchantId),
    ),
    publicKeyJwk: await cardPublicKey(publicKey.export({ format: 'jwk' }) as { n: string; e: string }),
  };
}

/** The `kid` is the key's thumbprint (RFC 7638), so equal keys have equal ids. */
async function cardPublicKey({ n, e }: { n: string; e: string }): Promise<CardPublicKey> {
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return { kty: 'RSA', use: 'enc', alg: 'RSA-OAEP-256', kid, n, e };
}
