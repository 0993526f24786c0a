import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import type { Deps } from '../../services/deps.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import type { CallOptions, Json } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { assertRefused, Shop } from '../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  shop = await Shop.open(service);
});

/** An order under a key, sent otherwise than it should be; its status. */
async function attempt(options: CallOptions): Promise<number> {
  return (await shop.call('POST', '/charges/orders', { idempotencyKey: 'k', ...options })).status;
}

/** The same key is still free for the order itself. */
async function assertFree(body: object): Promise<Json> {
  const answer = await shop.order(body, 'k');
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers.get('idempotency-replayed'), null);
  return answer.body;
}

describe('an answer before the operation has run does not store the key', () => {
  test('422 of the contract', async () => {
    const body = shop.pixOrderBody();
    assert.equal(await attempt({ body: { ...body, mcc: 'x' } }), 422);
    await assertFree(body);
  });

  test('400, 413 and 415', async () => {
    const body = shop.pixOrderBody();
    assert.equal(await attempt({ rawBody: '{' }), 400);
    assert.equal(await attempt({ rawBody: ' '.repeat(300_000) }), 413);
    assert.equal(
      await attempt({ rawBody: JSON.stringify(body), headers: { 'content-type': 'text/plain' } }),
      415,
    );
    await assertFree(body);
  });

  test('401 and 403', async () => {
    const body = shop.pixOrderBody();
    const reader = await service.newKey(shop.onboarded, ['payments:read']);
    assert.equal(await attempt({ body, key: null }), 401);
    assert.equal(await attempt({ body, key: reader.apiKey }), 403);
    await assertFree(body);
  });

  test('429', async () => {
    const body = shop.pixOrderBody();
    const limit = (perMinute: number) =>
      service.rows('update merchants set rate_limit_per_minute = :n where merchant_id = :id', {
        n: perMinute,
        id: shop.account,
      });
    await limit(1);
    await shop.get('/payments');
    assert.equal(await attempt({ body }), 429);
    await limit(1_000);
    await assertFree(body);
  });
});

describe('an error of the service does not store the key', () => {
  type Open = { -readonly [Key in keyof Deps]: Deps[Key] };

  /** The rendering of a payment fails in its nth use. */
  function failAt(nth: number): { undo(): void } {
    const deps = service.deps as Open;
    const { present } = deps;
    let uses = 0;
    deps.present = {
      ...present,
      payment(deps, payment) {
        uses += 1;
        if (uses === nth) throw new Error('A fault of ours.');
        return present.payment(deps, payment);
      },
    };
    return {
      undo: () => {
        deps.present = present;
      },
    };
  }

  /** Outside the contract, which describes no 500. */
  async function statusOf(body: object): Promise<number> {
    const response = await fetch(`${service.url}/api/v1/charges/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shop.onboarded.apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': 'k',
      },
      body: JSON.stringify(body),
    });
    await response.text();
    return response.status;
  }

  test('500 before anything is written: the next try creates the order', async () => {
    const body = await shop.cardOrderBody();
    const fault = failAt(1);
    assert.equal(await statusOf(body), 500);
    fault.undo();
    assert.deepEqual((await shop.get('/payments')).data, []);
    assert.equal((await assertFree(body)).status, 'paid');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('500 after the acquirer answered: the next try finds the payment, and does not charge again', async () => {
    const body = await shop.cardOrderBody();
    const fault = failAt(3);
    assert.equal(await statusOf(body), 500);
    fault.undo();
    assert.equal((await shop.payment(body.code)).status, 'processing');
    const { status, payment } = await assertFree(body);
    assert.equal(status, 'paid');
    assert.equal((await shop.get('/payments')).data.length, 1);
    assert.equal((await shop.eventNames(payment.id)).length, 3);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('503 while the database is down', async () => {
    const { id } = await shop.cardPayment();
    const path = `/payments/${id}/refunds`;
    const spy = service.intercept((real) => ({
      refund: async (asked) => {
        await real.perform(asked);
        throw new DatabaseUnavailable(new Error('gone'));
      },
    }));
    const answer = await shop.post(path, { amount: 1_000 }, 'r');
    spy.undo();
    assert.deepEqual([answer.status, answer.headers.has('retry-after')], [503, true]);
    const again = await shop.post(path, { amount: 1_000 }, 'r');
    assert.deepEqual([again.status, again.body.status], [201, 'succeeded']);
    assert.equal((await shop.payment(id)).refunded_amount, 1_000);
    await assertAcquirerAgrees(service, shop.account);
  });
});

describe('the key itself', () => {
  test('is 1 to 255 printable characters', async () => {
    const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
    for (const idempotencyKey of ['x', `!${printable}!`, 'k'.repeat(255)]) {
      const answer = await shop.call('POST', '/charges/orders', {
        idempotencyKey,
        body: shop.pixOrderBody(),
      });
      assert.equal(answer.status, 201, answer.text);
    }
    for (const idempotencyKey of ['', 'k'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const answer = await shop.call('POST', '/charges/orders', {
        idempotencyKey,
        body: shop.pixOrderBody(),
      });
      assertRefused(answer, 'Idempotency-Key');
    }
  });

  test('is reported together with all other violations', async () => {
    const body = { ...shop.pixOrderBody(), mcc: 'x' };
    const answer = await shop.call('POST', '/charges/orders', { idempotencyKey: 'caf\u00e9', body });
    assertRefused(answer, 'Idempotency-Key', 'mcc');
  });

  test('is ignored on a GET', async () => {
    await shop.placed(shop.pixOrderBody());
    const read = () => shop.call('GET', '/payments', { idempotencyKey: 'g' });
    const first = await read();
    await shop.placed(shop.pixOrderBody());
    const second = await read();
    assert.equal(second.headers.has('idempotency-replayed'), false);
    assert.equal(second.body.data.length, first.body.data.length + 1);
  });
});
