import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceEncryptionKey } from '../../../services/merchants/replace-encryption-key.ts';
import { encryptCard, VISA } from '../../support/cards/cards.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

async function store(encryptionKey: string): Promise<number> {
  const encrypted = encryptCard(VISA, encryptionKey);
  const answer = await shop.post('/cards', { customer_id: await shop.customer(), encrypted });
  return answer.status;
}

test('a merchant whose keys cannot be read any more gets new ones, and its stored cards stay as they are', async () => {
  const body = await shop.cardOrderBody();
  const before = await shop.get('/cards/encryption-key');
  await service.rows(
    `update merchants set encryption_key_sealed = decode('00', 'hex'), private_key_sealed = decode('00', 'hex')
      where merchant_id = :account`,
    { account: shop.account },
  );
  // A 500, which no answer of the contract is.
  await assert.rejects(store(shop.onboarded.encryptionKey), /500/);

  const encryptionKey = await replaceEncryptionKey(service.deps, shop.account);
  assert.equal(await store(encryptionKey), 201);
  assert.equal(await store(shop.onboarded.encryptionKey), 400);
  const after = await shop.get('/cards/encryption-key');
  assert.notEqual(after.kid, before.kid);
  assert.notEqual(after.jwk.n, before.jwk.n);
  assert.equal((await shop.placed(body)).payment.status, 'paid');
});

test('a merchant that does not exist gets none', async () => {
  await assert.rejects(replaceEncryptionKey(service.deps, UNKNOWN_ID), { reason: 'not_found' });
});
