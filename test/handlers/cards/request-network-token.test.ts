import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Acquirer, AcquirerCommand, TokenOutcome } from '../../../gateway/acquirer.ts';
import { newCard, newCustomer } from '../../support/cards/card-calls.ts';
import { AMEX, ELO, MASTERCARD, VISA } from '../../support/cards/cards.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let customerId: string;

before(async () => {
  service = await startTestService({ jobs: false });
  customerId = await newCustomer(service);
});
after(() => service.stop());

const ask = (identifier: string, key?: string) =>
  service.call('POST', `/cards/${identifier}/network-token`, key === undefined ? {} : { key });

describe('200', () => {
  test('a card with a token request in progress does not change', async () => {
    const card = await newCard(service, customerId, VISA);
    const { status, body } = await ask(card.id);
    assert.equal(status, 200);
    assert.deepEqual(body, card);
  });

  test('a card with a token does not change', async () => {
    const card = await newCard(service, customerId, MASTERCARD);
    await fetchDueTokens(service.deps);
    const { body } = await ask(card.id);
    assert.equal(body.network_token.status, 'active');
    assert.equal(await fetchDueTokens(service.deps), 0);
  });

  test('a card whose request failed gets another one, with a new reference', async () => {
    await fetchDueTokens(service.deps);
    const card = await newCard(service, customerId, MASTERCARD);
    const references: string[] = [];
    const perform = async ({ reference }: AcquirerCommand): Promise<TokenOutcome> => {
      references.push(reference);
      return references.length === 1
        ? { kind: 'refused', refusal: { code: 'declined' } as never }
        : { kind: 'approved', acquirerReference: 'a', networkToken: '4895370012003478' };
    };
    const acquirer = { ...service.deps.acquirer, perform: perform as Acquirer['perform'] };
    await fetchDueTokens({ ...service.deps, acquirer });
    assert.equal((await service.call('GET', `/cards/${card.id}`)).body.network_token.status, 'failed');
    assert.equal((await ask(card.id)).body.network_token.status, 'requested');
    await fetchDueTokens({ ...service.deps, acquirer });
    assert.equal((await service.call('GET', `/cards/${card.id}`)).body.network_token.status, 'active');
    assert.equal(new Set(references).size, 2);
  });
});

describe('400', () => {
  test('a UUID without its dashes', async () => {
    assert.equal((await ask('01a1ff1f49b874d4b96f58da6d4a8512')).body.error.code, 'invalid_uuid');
  });
});

describe('403', () => {
  test('a key that may only read cards', async () => {
    const card = await newCard(service, customerId, VISA);
    const { apiKey } = await service.newKey(service.merchant, ['cards:read']);
    const { status, body } = await ask(card.id, apiKey);
    assert.equal(status, 403);
    assert.equal(body.error.code, 'access_denied');
  });
});

describe('404', () => {
  test('an unknown card, and one of another merchant', async () => {
    const card = await newCard(service, customerId, VISA);
    const other = await service.newMerchant();
    assert.equal((await ask(card.id, other.apiKey)).status, 404);
    assert.equal((await ask('01a1ff1f-49b8-74d4-b96f-58da6d4a8512')).status, 404);
  });
});

describe('422', () => {
  test('a brand whose network has no tokens', async () => {
    for (const plain of [ELO, AMEX]) {
      const card = await newCard(service, customerId, plain);
      const { status, body } = await ask(card.id);
      assert.equal(status, 422);
      assert.equal(body.error.code, 'validation_error');
      assert.deepEqual(Object.keys(body.error.details), ['brand']);
    }
  });
});
