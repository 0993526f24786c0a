import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { ELO, MASTERCARD, VISA } from '../../support/cards/cards.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;

before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

const list = (identifier: string, query = '', key?: string) =>
  service.call('GET', `/customers/${identifier}/cards${query}`, key === undefined ? {} : { key });

describe('200', () => {
  test('lists only the cards of this customer, newest first, page by page', async () => {
    const customerId = await newCustomer(service);
    await newCard(service, await newCustomer(service), VISA);
    const cards: Json[] = [];
    for (const plain of [VISA, MASTERCARD, ELO]) cards.unshift(await newCard(service, customerId, plain));

    const { body: first } = await list(customerId, '?per_page=2');
    assert.deepEqual(first.data, cards.slice(0, 2));
    assert.equal(first.pagination.has_more, true);
    const { body: second } = await list(customerId, `?per_page=2&cursor=${first.pagination.next_cursor}`);
    assert.deepEqual(second.data, cards.slice(2));
    assert.deepEqual(second.pagination, { per_page: 2, has_more: false, next_cursor: null });
  });

  test('finds the customer by e-mail and by hash too', async () => {
    const customerId = await newCustomer(service);
    const { body: customer } = await service.call('GET', `/customers/${customerId}`);
    const card = await newCard(service, customerId, VISA);
    for (const identifier of [customer.hash, encodeURIComponent(customer.email.toUpperCase())]) {
      assert.deepEqual((await list(identifier)).body.data, [card]);
    }
  });

  test('omits deleted cards', async () => {
    const customerId = await newCustomer(service);
    const card = await newCard(service, customerId, VISA);
    await service.call('DELETE', `/cards/${card.id}`);
    assert.deepEqual((await list(customerId)).body.data, []);
  });
});

describe('400', () => {
  test('a malformed identifier', async () => {
    assert.equal((await list('%01')).status, 400);
  });
});

describe('404', () => {
  test('an unknown customer, and one of another merchant', async () => {
    const customerId = await newCustomer(service);
    const other = await service.newMerchant();
    assert.equal((await list(customerId, '', other.apiKey)).status, 404);
    assert.equal((await list('01a1ff1f-49b8-74d4-b96f-58da6d4a8512')).status, 404);
  });
});

describe('422', () => {
  test('a page size out of bounds, and a malformed cursor', async () => {
    const customerId = await newCustomer(service);
    assert.deepEqual(Object.keys((await list(customerId, '?per_page=101')).body.errors), ['per_page']);
    assert.deepEqual(Object.keys((await list(customerId, '?cursor=x')).body.errors), ['cursor']);
  });
});
