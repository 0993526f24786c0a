import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { HOUR_MS } from '../../domain/durations.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import type { TestAnswer } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { assertRefused, created, Shop } from '../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const order = (body: object, key: string) => shop.order(body, key);
const orders = async () => (await shop.get('/payments?per_page=100')).data.length;

function assertReplay(answer: TestAnswer, first: TestAnswer): void {
  assert.equal(answer.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual([answer.status, answer.text], [first.status, first.text]);
}

function assertReused(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.body.error?.code], [422, 'idempotency_key_reused']);
}

describe('a repeated request gets the first answer', () => {
  test('of an order, byte for byte, although it has changed since', async () => {
    const body = await shop.cardOrderBody({ capture: false });
    const first = await order(body, 'a');
    assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [201, null]);
    await shop.capture(first.body.payment.id);
    for (let i = 0; i < 3; i += 1) assertReplay(await order(body, 'a'), first);
    assert.equal(await orders(), 1);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of a capture, a cancellation and a refund', async () => {
    const [one, two] = [await shop.authorized(), await shop.authorized()];
    const ASKED = [
      [`/payments/${one.id}/capture`, { amount: 7_000 }],
      [`/payments/${two.id}/cancel`, undefined],
      [`/payments/${one.id}/refunds`, { amount: 1_000 }],
    ] as const;
    for (const [path, body] of ASKED) {
      const first = await shop.post(path, body, path);
      assert.ok(first.status < 300, first.text);
      assertReplay(await shop.post(path, body, path), first);
    }
    assert.equal((await shop.payment(one.id)).refunded_amount, 1_000);
    assert.equal((await shop.post(`/payments/${one.id}/refunds`, { amount: 1_000 }, 'other')).status, 201);
    assert.equal((await shop.payment(one.id)).refunded_amount, 2_000);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('of a refusal by the operation', async () => {
    const used = await created(order(shop.pixOrderBody(), 'first'));
    const body = { ...shop.pixOrderBody(), code: used.code };
    const refused = await order(body, 'b');
    assertRefused(refused, 'code');
    assertReplay(await order(body, 'b'), refused);

    const { id } = await shop.authorized('4000000000001174');
    const failed = await shop.post(`/payments/${id}/capture`, undefined, 'c');
    assertRefused(failed, 'status');
    assertReplay(await shop.post(`/payments/${id}/capture`, undefined, 'c'), failed);
    assert.equal((await shop.eventNames(id)).length, 4, 'the acquirer was asked once');

    const nothing = await shop.post('/payments/none/cancel', undefined, 'd');
    assert.equal(nothing.status, 404);
    assertReplay(await shop.post('/payments/none/cancel', undefined, 'd'), nothing);
  });

  test('for 24 hours; then the key counts as new', async () => {
    const body = shop.pixOrderBody();
    const first = await order(body, 'e');
    service.setAhead(24 * HOUR_MS - 60_000);
    assertReplay(await order(body, 'e'), first);
    assertReused(await order({ ...body, code: 'other' }, 'e'));
    service.setAhead(24 * HOUR_MS + 1_000);
    assertRefused(await order(body, 'e'), 'code');
    service.setAhead(48 * HOUR_MS + 2_000);
    assert.notEqual((await created(order({ ...body, code: 'other' }, 'e'))).id, first.body.id);
  });

  test('only of its own merchant: another merchant can use the same key', async () => {
    const other = await Shop.open(service);
    const body = shop.pixOrderBody();
    const ours = await created(order(body, 'f'));
    const theirs = await other.placed(body, 'f');
    assert.notEqual(ours.id, theirs.id);
  });

  test('which is stored encrypted', async () => {
    await order(await shop.cardOrderBody({ order: { description: 'Segredo' } }), 'g');
    const [row] = await service.rows<{ whole: string; response_sealed: Buffer }>(
      'select k::text as whole, response_sealed from idempotency_keys k where merchant_id = :id',
      { id: shop.account },
    );
    for (const plain of ['Segredo', 'paid', '424242']) {
      assert.ok(!row!.response_sealed.includes(plain), plain);
      assert.ok(!row!.whole.includes(plain), plain);
    }
    assert.ok(row!.response_sealed.length > 500);
  });
});

describe('422 idempotency_key_reused', () => {
  test('for another body, another operation or another payment', async () => {
    const body = shop.pixOrderBody();
    await created(order(body, 'a'));
    assertReused(await order({ ...body, description: 'x' }, 'a'));
    assertReused(await shop.post('/customers', { name: 'Ana', email: 'ana@example.com' }, 'a'));

    const [one, two] = [await shop.cardPayment(), await shop.cardPayment()];
    assert.equal((await shop.post(`/payments/${one.id}/refunds`, { amount: 1 }, 'b')).status, 201);
    assertReused(await shop.post(`/payments/${two.id}/refunds`, { amount: 1 }, 'b'));
    assertReused(await shop.post(`/payments/${one.id}/refunds`, undefined, 'b'));
    assertReused(await shop.post(`/payments/${one.id}/cancel`, undefined, 'b'));
    assert.deepEqual((await shop.get(`/payments/${two.id}/refunds`)).data, []);
  });
});

describe('simultaneous requests with one key', () => {
  test('create one order of 50, and get it or 409', async () => {
    const body = await shop.cardOrderBody();
    const answers = await Promise.all(Array.from({ length: 50 }, () => order(body, 'a')));
    const given = answers.filter(({ status }) => status === 201);
    assert.ok(given.length >= 1);
    assert.equal(new Set(given.map(({ text }) => text)).size, 1);
    assert.equal(given.filter(({ headers }) => !headers.has('idempotency-replayed')).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'idempotency_in_flight']);
      assert.match(answer.headers.get('retry-after')!, /^[1-9]\d*$/);
    }
    assert.equal(await orders(), 1);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('refund once of 20', async () => {
    const { id } = await shop.cardPayment();
    const path = `/payments/${id}/refunds`;
    await Promise.all(Array.from({ length: 20 }, () => shop.post(path, { amount: 100 }, 'a')));
    assert.equal((await shop.payment(id)).refunded_amount, 100);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('get 409 while the first runs, or 422 if they differ from it', async () => {
    const body = await shop.cardOrderBody();
    const meanwhile: TestAnswer[] = [];
    const spy = service.intercept((real) => ({
      authorize: async (asked) => {
        meanwhile.push(await order(body, 'a'), await order({ ...body, code: 'x' }, 'a'));
        return real.perform(asked);
      },
    }));
    const first = await order(body, 'a');
    spy.undo();
    assert.equal(meanwhile[0]!.status, 409);
    assertReused(meanwhile[1]!);
    assertReplay(await order(body, 'a'), first);
  });

  test('a run that outlives its lease is taken over, and then writes nothing', async () => {
    const body = await shop.cardOrderBody();
    let taken: TestAnswer | undefined;
    const spy = service.intercept((real) => ({
      authorize: async (asked) => {
        service.setAhead(31_000);
        taken = await order(body, 'a');
        return real.perform(asked);
      },
    }));
    const stalled = await order(body, 'a');
    spy.undo();
    assert.equal(taken!.status, 201);
    assert.equal(taken!.body.payment.status, 'refused', 'the acquirer had not seen it, and now never will');
    assert.equal(stalled.status, 409);
    assertReplay(await order(body, 'a'), taken!);
    assert.equal(await orders(), 1);
    assert.equal((await shop.eventNames(taken!.body.payment.id)).length, 2);
    await assertAcquirerAgrees(service, shop.account);
  });
});
