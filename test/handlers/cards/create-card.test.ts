import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findSealedCard } from '../../../db/cards/card-security-codes.ts';
import { markCardAuthorized } from '../../../db/cards/cards.ts';
import { newCard, newCustomer, postCard } from '../../support/cards/card-calls.ts';
import {
  AMEX,
  cardDocument,
  ELO,
  encryptCard,
  encryptJwe,
  MASTERCARD,
  VISA,
} from '../../support/cards/cards.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import cards from '../../vectors/cards.json' with { type: 'json' };

let service: TestService;
let customerId: string;
const now = new Date('2026-11-21T17:21:30.000Z');

before(async () => {
  service = await startTestService({ jobs: false, overrides: { wall: () => now } });
  customerId = await newCustomer(service);
});
after(() => service.stop());

/** As a payment does it. */
async function authorizeWith(cardId: string): Promise<void> {
  const { db } = service.deps;
  await db.transaction(service.merchant.merchant, (tx) =>
    markCardAuthorized(tx, service.merchant.merchant, cardId, now),
  );
}

describe('201', () => {
  test('stores a card of the AES form and returns its public fields', async () => {
    const { status, body } = await postCard(service, customerId, VISA);

    assert.equal(status, 201);
    const { id, ...rest } = body;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    assert.deepEqual(rest, {
      customer_id: customerId,
      holder: 'ANA SOUZA',
      brand: 'visa',
      first_6: '424242',
      last_4: '4242',
      exp_month: '08',
      exp_year: '39',
      network_token: { status: 'requested' },
      created_at: '21/11/2026 14:21:30',
      updated_at: '21/11/2026 14:21:30',
    });
  });

  test('stores a card of the JWE form, encrypted with the key of getCardEncryptionKey', async () => {
    const { body: key } = await service.call('GET', '/cards/encryption-key');
    const encrypted = await encryptJwe(cardDocument(MASTERCARD), key.jwk, {
      alg: key.alg,
      enc: key.enc,
      kid: key.kid,
    });
    const { status, body } = await service.call('POST', '/cards', {
      body: { customer_id: customerId, encrypted },
    });

    assert.equal(status, 201);
    assert.deepEqual([body.brand, body.last_4], ['mastercard', '4444']);
  });

  for (const { number, brand } of cards.luhn_valid) {
    test(`knows the brand of ${number.slice(0, 6)}…: ${brand}`, async () => {
      const card = { ...(brand === 'amex' ? AMEX : VISA), number };
      const body = await newCard(service, customerId, card);
      assert.equal(body.brand, brand);
      const hasToken = brand === 'visa' || brand === 'mastercard';
      assert.equal(body.network_token.status, hasToken ? 'requested' : 'none');
    });
  }

  test('takes the brand from the number, even if another one is sent', async () => {
    const body = await newCard(service, customerId, { ...ELO, brand: 'visa' });
    assert.equal(body.brand, 'elo');
  });

  test('accepts a year of four digits, a month of one, and the id of a customer in upper case', async () => {
    const card = { ...VISA, expMonth: '7', expYear: '2039' };
    const body = await newCard(service, customerId.toUpperCase(), card);
    assert.deepEqual([body.exp_month, body.exp_year, body.customer_id], ['07', '39', customerId]);
  });

  test('accepts a card that expires this month', async () => {
    const body = await newCard(service, customerId, { ...VISA, expMonth: '11', expYear: '26' });
    assert.equal(body.exp_month, '11');
  });

  test('stores one card for simultaneous requests with one Idempotency-Key', async () => {
    const buyer = await newCustomer(service);
    const encrypted = encryptCard(VISA, service.merchant.encryptionKey);
    const body = { customer_id: buyer, encrypted };
    const post = () => service.call('POST', '/cards', { body, idempotencyKey: 'one card' });
    const answers = await Promise.all(Array.from({ length: 10 }, post));
    const stored = answers.filter(({ status }) => status === 201);
    assert.ok(stored.length >= 1);
    assert.ok(answers.every(({ status }) => status === 201 || status === 409));

    const replay = await post();
    assert.equal(replay.text, stored[0]!.text);
    assert.equal(replay.headers.get('idempotency-replayed'), 'true');
    const { body: page } = await service.call('GET', `/customers/${buyer}/cards`);
    assert.equal(page.data.length, 1);
  });

  test('stores a card twice if no payment was authorized with it', async () => {
    const buyer = await newCustomer(service);
    const [first, second] = [await newCard(service, buyer, VISA), await newCard(service, buyer, VISA)];
    assert.notEqual(first.id, second.id);
  });
});

describe('200', () => {
  test('returns the card that this customer has paid with, and creates none', async () => {
    const buyer = await newCustomer(service);
    const first = await newCard(service, buyer, VISA);
    await authorizeWith(first.id);
    const { status, body } = await postCard(service, buyer, VISA);

    assert.equal(status, 200);
    assert.deepEqual(body, first);
    const { body: page } = await service.call('GET', `/customers/${buyer}/cards`);
    assert.equal(page.data.length, 1);
  });

  test('ignores the middle digits of the number, but stores a security code only with its own number', async () => {
    const buyer = await newCustomer(service);
    const first = await newCard(service, buyer, { ...VISA, number: '4242420000004242' });
    await authorizeWith(first.id);
    const scope = service.merchant.merchant;
    const codeOf = async () => (await findSealedCard(service.deps.db, scope, first.id, now))?.codeSealed;
    const before = await codeOf();
    assert.ok(before);

    assert.equal((await postCard(service, buyer, VISA)).body.id, first.id);
    assert.deepEqual(await codeOf(), before);
    assert.equal((await postCard(service, buyer, { ...VISA, number: '4242420000004242' })).status, 200);
    assert.notDeepEqual(await codeOf(), before);
  });

  test('does not apply to another holder, expiry, number or customer', async () => {
    const buyer = await newCustomer(service);
    await authorizeWith((await newCard(service, buyer, VISA)).id);
    const others = [
      { ...VISA, holder: 'ANA S SOUZA' },
      { ...VISA, expMonth: '09' },
      { ...VISA, expYear: '38' },
      { ...VISA, number: '4111111111111111' },
    ];
    for (const card of others) await newCard(service, buyer, card);
    await newCard(service, customerId, VISA);
  });

  test('does not apply to a deleted card', async () => {
    const buyer = await newCustomer(service);
    const first = await newCard(service, buyer, VISA);
    await authorizeWith(first.id);
    await service.call('DELETE', `/cards/${first.id}`);
    assert.notEqual((await newCard(service, buyer, VISA)).id, first.id);
  });
});
