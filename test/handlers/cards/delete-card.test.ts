import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openCardForAuthorization } from '../../../services/cards/open-card.ts';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { VISA } from '../../support/cards/cards.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let customerId: string;

before(async () => {
  service = await startTestService({ jobs: false });
  customerId = await newCustomer(service);
});
after(() => service.stop());

const remove = (identifier: string, key?: string) =>
  service.call('DELETE', `/cards/${identifier}`, key === undefined ? {} : { key });

describe('204', () => {
  test('the card is in no answer any more, and cannot pay', async () => {
    const card = await newCard(service, customerId, VISA);
    const { status, text } = await remove(card.id.toUpperCase());
    assert.deepEqual([status, text], [204, '']);

    assert.equal((await service.call('GET', `/cards/${card.id}`)).status, 404);
    assert.equal((await service.call('POST', `/cards/${card.id}/network-token`)).status, 404);
    const { body: page } = await service.call('GET', `/customers/${customerId}/cards`);
    assert.deepEqual(page.data, []);
    assert.equal(await openCardForAuthorization(service.deps, service.merchant.merchant, card.id), undefined);
    const order = await service.call('POST', '/charges/orders', {
      body: {
        code: 'deleted-card',
        mcc: '5734',
        customer: { id: customerId },
        payment: { amount: 12_990, payment_method: 'credit_card', credit_card: { id: card.id } },
      },
    });
    assert.equal(order.status, 422);
    assert.deepEqual(Object.keys(order.body.errors), ['payment.credit_card.id']);
  });

  test('its row has no number, security code, fingerprint or network token', async () => {
    const card = await newCard(service, customerId, VISA);
    await remove(card.id);
    const { merchant } = service.merchant;
    const row = await service.deps.db.one<Record<string, unknown>>(
      merchant,
      `select number_sealed, fingerprint, network_token_sealed, network_token_due_at,
              (select count(*) from card_security_codes s where {scope:s} and s.card_id = c.id) as codes
         from cards c where {scope:c} and c.id = :id`,
      { id: card.id },
    );
    assert.deepEqual(row, {
      number_sealed: null,
      fingerprint: null,
      network_token_sealed: null,
      network_token_due_at: null,
      codes: 0,
    });
  });
});

describe('400', () => {
  test('a UUID without its dashes', async () => {
    const { status, body } = await remove('01a1ff1f49b874d4b96f58da6d4a8512');
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_uuid');
  });
});

describe('403', () => {
  test('a key that may only read cards', async () => {
    const card = await newCard(service, customerId, VISA);
    const { apiKey } = await service.newKey(service.merchant, ['cards:read']);
    const { status, body } = await remove(card.id, apiKey);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'access_denied');
  });
});

describe('404', () => {
  test('a card that is deleted, unknown, or of another merchant', async () => {
    const card = await newCard(service, customerId, VISA);
    const other = await service.newMerchant();
    assert.equal((await remove(card.id, other.apiKey)).status, 404);
    assert.equal((await remove(card.id)).status, 204);
    for (const identifier of [card.id, '01a1ff1f-49b8-74d4-b96f-58da6d4a8512', 'card']) {
      const { status, body } = await remove(identifier);
      assert.equal(status, 404);
      assert.deepEqual(body, { message: 'Card not found.' });
    }
  });
});
