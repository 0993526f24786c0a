import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { returnResult } from '../../../services/deps.ts';
import { authenticate } from '../../../services/merchants/authenticate.ts';
import { createScript } from '../../../services/sandbox/create-script.ts';
import { clockNow } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let customerId: string;
let cardId: string;
beforeEach(async () => {
  shop = await Shop.open(service);
  customerId = await shop.customer();
  cardId = await shop.card(customerId);
});

interface Step {
  readonly operation: string;
  readonly outcome: string;
}

const authorize = (outcome: string): Step => ({ operation: 'authorize', outcome });
const post = (body: object, key?: string) => shop.post('/sandbox/scripts', body, key);

/** The payment of a new order with a card of the test's customer. */
async function charged(card = cardId, capture = true): Promise<Json> {
  const credit_card = { id: card, capture };
  const order = await created(
    shop.post('/charges/orders', {
      code: randomUUID(),
      mcc: '5734',
      customer: { id: customerId },
      payment: { amount: 9_000, payment_method: 'credit_card', credit_card },
    }),
  );
  return order.payment;
}

async function refusals(times: number): Promise<(string | null)[]> {
  const codes: (string | null)[] = [];
  for (let i = 0; i < times; i++) codes.push((await charged()).refusal?.code ?? null);
  return codes;
}

describe('201', () => {
  test('returns the script', async () => {
    const outcomes = [authorize('insufficient_funds'), { operation: 'refund', outcome: 'approve' }];
    const before = await clockNow(shop);
    const script = await created(post({ card_id: cardId, outcomes }));
    const { id, created_at, ...rest } = script;
    assert.deepEqual(rest, {
      customer_id: null,
      card_id: cardId,
      outcomes,
      remaining: 2,
      remaining_outcomes: outcomes,
    });
    assert.ok(
      before <= Date.parse(created_at) && Date.parse(created_at) <= (await clockNow(shop)),
      created_at,
    );
    assert.match(id, /^[0-9a-f-]{36}$/);
  });

  test('of a card determines its next charges in order, then is used up', async () => {
    const outcomes = ['insufficient_funds', 'stolen_card', 'approve', 'fraud'].map(authorize);
    await created(post({ card_id: cardId, outcomes }));
    const other = await shop.card(customerId, '5555555555554444');
    assert.equal((await charged(other)).status, 'paid');
    assert.deepEqual(await refusals(5), ['insufficient_funds', 'stolen_card', null, 'fraud', null]);
  });

  test('of a customer determines captures, cancellations and refunds, too', async () => {
    const outcomes = [
      { operation: 'capture', outcome: 'processing_error' },
      { operation: 'cancel', outcome: 'do_not_honor' },
      { operation: 'refund', outcome: 'account_closed' },
    ];
    const script = await created(post({ customer_id: customerId.toUpperCase(), outcomes }));
    assert.equal(script.customer_id, customerId);
    const { id } = await charged(cardId, false);
    assertRefused(await shop.capture(id), 'status');
    assertRefused(await shop.cancel(id), 'status');
    assert.equal((await shop.capture(id)).status, 200);
    assert.equal((await created(shop.refund(id))).status, 'denied');
    assert.equal((await created(shop.refund(id))).status, 'succeeded');
  });

  test('has priority over the magic number of a card', async () => {
    const refused = await shop.card(customerId, '4000000000000002');
    await created(post({ card_id: refused, outcomes: [authorize('approve')] }));
    assert.equal((await charged(refused)).status, 'paid');
    assert.equal((await charged(refused)).status, 'refused');
  });

  test('is created once for a repeated Idempotency-Key', async () => {
    const asked = { card_id: cardId, outcomes: [authorize('lost_card')] };
    const first = await post(asked, 'script-1');
    assert.equal((await post(asked, 'script-1')).text, first.text);
    assert.deepEqual(await refusals(2), ['lost_card', null]);
    assert.equal((await post(asked, 'script-1')).text, first.text);
    assert.deepEqual(await refusals(1), [null]);
  });

  test('is created once, also if the first run was killed and the script is used up before the second', async () => {
    const { merchant } = await authenticate(service.deps, shop.onboarded.apiKey);
    const input = {
      id: uuidV7(Date.now(), service.deps.random),
      customerId: null,
      cardId,
      outcomes: [{ operation: 'authorize' as const, outcome: 'lost_card' }],
    };
    const dies = async () => assert.fail('dead');
    await assert.rejects(createScript(service.deps, merchant, input, dies));
    assert.deepEqual(await refusals(1), ['lost_card']);
    assert.equal((await createScript(service.deps, merchant, input, returnResult)).scriptId, input.id);
    assert.deepEqual(await refusals(1), [null]);
  });

  test('accepts 100 outcomes', async () => {
    const outcomes = Array.from({ length: 100 }, () => authorize('approve'));
    assert.equal((await created(post({ customer_id: customerId, outcomes }))).remaining, 100);
  });
});

describe('401 and 403', () => {
  test('no key, and a key without the permission', async () => {
    const body = { card_id: cardId, outcomes: [authorize('approve')] };
    assert.equal((await shop.call('POST', '/sandbox/scripts', { key: null, body })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['cards:write', 'sandbox:read']);
    assert.equal((await shop.call('POST', '/sandbox/scripts', { key: apiKey, body })).status, 403);
  });
});

describe('422', () => {
  const outcomes = [authorize('approve')];

  test('both a customer and a card, or neither', async () => {
    assertRefused(await post({ customer_id: customerId, card_id: cardId, outcomes }), 'card_id');
    assertRefused(await post({ outcomes }), 'card_id');
  });

  test('a customer or card that is unknown, deleted or of another merchant', async () => {
    const other = await Shop.open(service);
    const theirs = await other.customer();
    for (const id of [randomUUID(), theirs, cardId]) {
      assertRefused(await post({ customer_id: id, outcomes }), 'customer_id');
    }
    const deleted = await shop.card(customerId, '5555555555554444');
    await shop.call('DELETE', `/cards/${deleted}`);
    for (const id of [randomUUID(), await other.card(theirs), customerId, deleted]) {
      assertRefused(await post({ card_id: id, outcomes }), 'card_id');
    }
  });

  test('no outcome, 101 outcomes, and unknown outcomes or operations', async () => {
    assertRefused(await post({ card_id: cardId, outcomes: [] }), 'outcomes');
    const many = Array.from({ length: 101 }, () => authorize('approve'));
    assertRefused(await post({ card_id: cardId, outcomes: many }), 'outcomes');
    assertRefused(await post({ card_id: cardId }), 'outcomes');
    const wrong = [
      authorize('bad_weather'),
      { operation: 'settle', outcome: 'approve' },
      { operation: 'capture' },
      { ...authorize('approve'), times: 2 },
    ];
    assertRefused(
      await post({ card_id: 'x', outcomes: wrong, name: 'mine' }),
      'card_id',
      'name',
      'outcomes.0.outcome',
      'outcomes.1.operation',
      'outcomes.2.outcome',
      'outcomes.3.times',
    );
  });
});
