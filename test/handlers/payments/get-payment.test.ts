import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedShop } from '../../support/shared-service.ts';
import { Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const card = await shop.cardPayment();
const pix = await shop.pixPayment();

const codeOf = async (code: string) => (await shop.placed({ ...shop.pixOrderBody(), code })).payment;
const byIdentifier = (identifier: string) => shop.get(`/payments/${encodeURIComponent(identifier)}`);

describe('200', () => {
  test('by id, in either case', async () => {
    assert.deepEqual(await byIdentifier(card.id), card);
    assert.deepEqual(await byIdentifier(card.id.toUpperCase()), card);
  });

  test('by hash', async () => {
    assert.match(card.hash, /^[a-z2-7]{16,}$/);
    assert.deepEqual(await byIdentifier(card.hash), card);
  });

  test('by the code of its order, with any characters', async () => {
    assert.deepEqual(await byIdentifier(card.order_code), card);
    for (const code of [
      'pedido/1?a=b#c',
      '100%',
      ' ',
      'a+b c',
      "'; drop table payments; --",
      '~'.repeat(64),
    ]) {
      const payment = await codeOf(code);
      assert.equal((await byIdentifier(code)).id, payment.id, code);
    }
  });

  test('by the txid of its Pix', async () => {
    assert.deepEqual(await byIdentifier(pix.pix.txid), pix);
  });

  test('by its id, even if another order has it as its code', async () => {
    const other = await codeOf(card.id);
    assert.equal((await byIdentifier(card.id)).id, card.id);
    assert.equal((await byIdentifier(other.id)).order_code, card.id);
  });

  test('by its hash, even if another order has it as its code', async () => {
    await codeOf(card.hash);
    assert.equal((await byIdentifier(card.hash)).id, card.id);
  });
});

describe('404', () => {
  test('unknown and malformed identifiers', async () => {
    const NOTHING = [
      UNKNOWN_ID,
      `{${card.id}}`,
      card.id.replaceAll('-', ''),
      card.hash.toUpperCase(),
      'none',
      'x'.repeat(5_000),
      '\u0000',
      'a\u0000b',
      '\u{1F600}',
    ];
    for (const identifier of NOTHING) {
      const answer = await shop.call('GET', `/payments/${encodeURIComponent(identifier)}`);
      assert.deepEqual(
        [answer.status, Object.keys(answer.body)],
        [404, ['message']],
        identifier.slice(0, 50),
      );
    }
    for (const raw of ['%E0%A4%A', '%', '%ED%A0%80', '%ff']) {
      assert.equal((await shop.call('GET', `/payments/${raw}`)).status, 404, raw);
    }
  });

  test('a payment of another merchant, by each of its identifiers', async () => {
    const other = await Shop.open(service);
    for (const identifier of [card.id, card.hash, card.order_code, pix.pix.txid]) {
      assert.equal((await other.call('GET', `/payments/${identifier}`)).status, 404);
    }
  });

  test('is the answer of every operation to a payment of another merchant, and an unknown or malformed one', async () => {
    const other = await Shop.open(service);
    const ASKED = [
      ['POST', 'capture'],
      ['POST', 'cancel'],
      ['POST', 'refunds'],
      ['GET', 'refunds'],
    ] as const;
    for (const [method, what] of ASKED) {
      for (const name of [card.id, card.hash, card.order_code, pix.pix.txid])
        assert.equal((await other.call(method, `/payments/${name}/${what}`)).status, 404, what);
      for (const name of [UNKNOWN_ID, '42', '%00', '%ff']) {
        const answer = await shop.call(method, `/payments/${name}/${what}`);
        assert.deepEqual([answer.status, Object.keys(answer.body)], [404, ['message']], `${what} of ${name}`);
      }
    }
  });

  test('an event of another merchant', async () => {
    const [event] = await shop.events(card.id);
    const other = await Shop.open(service);
    assert.equal((await other.call('GET', `/events/${event.id}`)).status, 404);
    assert.deepEqual((await other.get(`/events?payment_id=${card.id}`)).data, []);
  });
});
