import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { test } from 'node:test';
import { CompactEncrypt, compactDecrypt, importJWK } from 'jose';
import { merchantKeyContext, newMerchantKeys } from '../../../services/vault/merchant-keys.ts';
import { memoryVault } from '../../support/cards/memory-vault.ts';

const MERCHANT = '01a1ff1f-0000-7000-8000-000000000001';

test('a merchant gets an encryption key of 32 base62 characters, encrypted for this merchant only', async () => {
  const vault = await memoryVault();
  const keys = await newMerchantKeys(vault, MERCHANT);

  assert.match(keys.encryptionKey, /^[0-9A-Za-z]{32}$/);
  const opened = await vault.open(keys.encryptionKeySealed, merchantKeyContext.encryptionKey(MERCHANT));
  assert.equal(opened.toString(), keys.encryptionKey);
  await assert.rejects(vault.open(keys.encryptionKeySealed, merchantKeyContext.encryptionKey('another')));
});

test('the sealed private key opens what the public JWK encrypts', async () => {
  const vault = await memoryVault();
  const keys = await newMerchantKeys(vault, MERCHANT);
  const jwe = await new CompactEncrypt(Buffer.from('hello'))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
    .encrypt(await importJWK({ ...keys.publicKeyJwk }, 'RSA-OAEP-256'));

  const der = await vault.open(keys.privateKeySealed, merchantKeyContext.privateKey(MERCHANT));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const { plaintext } = await compactDecrypt(jwe, privateKey);
  assert.equal(Buffer.from(plaintext).toString(), 'hello');
  assert.equal(privateKey.asymmetricKeyDetails?.modulusLength, 2048);
});

test('the public JWK has no private part, and two merchants have different keys', async () => {
  const vault = await memoryVault();
  const [one, other] = await Promise.all([newMerchantKeys(vault, 'a'), newMerchantKeys(vault, 'b')]);

  assert.deepEqual(Object.keys(one.publicKeyJwk), ['kty', 'use', 'alg', 'kid', 'n', 'e']);
  assert.notEqual(one.publicKeyJwk.kid, other.publicKeyJwk.kid);
  assert.notEqual(one.encryptionKey, other.encryptionKey);
});
