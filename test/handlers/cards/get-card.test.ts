import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { VISA } from '../../support/cards/cards.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let card: Json;

before(async () => {
  service = await startTestService({ jobs: false });
  card = await newCard(service, await newCustomer(service), VISA);
});
after(() => service.stop());

const get = (identifier: string, key?: string) =>
  service.call('GET', `/cards/${identifier}`, key === undefined ? {} : { key });

describe('200', () => {
  test('returns the card as its creation did, by its id in either case', async () => {
    for (const id of [card.id, card.id.toUpperCase()]) {
      const { status, body } = await get(id);
      assert.equal(status, 200);
      assert.deepEqual(body, card);
    }
  });
});

describe('400', () => {
  test('a value shaped like a UUID that is not in canonical form', async () => {
    const digits = card.id.replaceAll('-', '');
    const shapes = [
      digits,
      digits.toUpperCase(),
      `${digits.slice(0, 4)}-${digits.slice(4)}`,
      `${card.id.slice(0, 35)}g`,
      `${'x'.repeat(35)}-`,
    ];
    for (const identifier of shapes) {
      const { status, body } = await get(identifier);
      assert.equal(status, 400, identifier);
      assert.equal(body.error.code, 'invalid_uuid');
    }
  });
});

describe('403', () => {
  test('a key without permission to read cards', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['customers:write', 'payments:write']);
    const { status, body } = await get(card.id, apiKey);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'access_denied');
  });
});

describe('404', () => {
  test('a malformed or unknown identifier', async () => {
    const missing = '01a1ff1f-49b8-74d4-b96f-58da6d4a8512';
    for (const identifier of ['1', 'card', '%00', '%20', `${card.id}0`, '9'.repeat(33), missing]) {
      const { status, body } = await get(identifier);
      assert.equal(status, 404, identifier);
      assert.deepEqual(body, { message: 'Card not found.' });
    }
  });

  test("another merchant's card", async () => {
    const other = await service.newMerchant();
    assert.equal((await get(card.id, other.apiKey)).status, 404);
  });
});
