import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../domain/durations.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

const paid = (number?: string, amount?: number) => shop.cardPayment({ number, amount });
const amounts = ({ status, captured_amount, refunded_amount }: Json) => [
  status,
  captured_amount,
  refunded_amount,
];

describe('201', () => {
  test('refunds the whole amount', async () => {
    const { id } = await paid();
    const { status, body } = await shop.refund(id);
    assert.equal(status, 201);
    assert.deepEqual([body.payment_id, body.amount, body.status], [id, 10_000, 'succeeded']);
    const payment = await shop.payment(id);
    assert.deepEqual(amounts(payment), ['refunded', 10_000, 10_000]);
    assert.deepEqual(statusesOf(payment).slice(2), ['paid', 'refund_in_progress', 'refunded']);
    assert.deepEqual((await shop.get(`/payments/${id}/refunds`)).data, [body]);
  });

  test('emits events of the request and the end, with the amounts of that moment', async () => {
    const { id } = await paid();
    await shop.refund(id, 4_000);
    const events = (await shop.events(id)).slice(3);
    assert.deepEqual(
      events.map(({ event, data }) => [event, ...amounts(data)]),
      [
        ['payment.refund_in_progress', 'refund_in_progress', 10_000, 0],
        ['payment.refunded', 'partially_refunded', 10_000, 4_000],
      ],
    );
  });

  test('refunds parts until nothing is left, to the centavo', async () => {
    const { id } = await paid(undefined, 1_001);
    for (const [amount, left] of [
      [1, 'partially_refunded'],
      [500, 'partially_refunded'],
      [499, 'partially_refunded'],
    ] as const) {
      assert.equal((await shop.refund(id, amount)).status, 201);
      assert.equal((await shop.payment(id)).status, left);
    }
    assertRefused(await shop.refund(id, 2), 'amount');
    const { body } = await shop.refund(id);
    assert.equal(body.amount, 1, 'without an amount: what is left');
    assert.deepEqual(amounts(await shop.payment(id)), ['refunded', 1_001, 1_001]);
    assertRefused(await shop.refund(id), 'status');
  });

  test('refunds 100 parts, and then only all that is left', async () => {
    const { id } = await paid();
    for (let refund = 1; refund <= 100; refund += 1) assert.equal((await shop.refund(id, 1)).status, 201);
    assertRefused(await shop.refund(id, 1), 'amount');
    assert.deepEqual(amounts(await shop.payment(id)), ['partially_refunded', 10_000, 100]);
    assert.equal((await shop.refund(id, 9_900)).status, 201);
    assert.deepEqual(amounts(await shop.payment(id)), ['refunded', 10_000, 10_000]);
  });

  test('does not count denied refunds among the 100', async () => {
    const { id } = await paid('4000000000001240');
    for (let refund = 1; refund <= 101; refund += 1) assert.equal((await shop.refund(id, 1)).status, 201);
    assert.deepEqual(amounts(await shop.payment(id)), ['paid', 10_000, 0]);
  });

  test('refunds the captured amount, not the authorized one', async () => {
    const { id } = await shop.authorized();
    await shop.capture(id, 3_000);
    assertRefused(await shop.refund(id, 3_001), 'amount');
    assert.equal((await shop.refund(id)).body.amount, 3_000);
    assert.deepEqual(amounts(await shop.payment(id)), ['refunded', 3_000, 3_000]);
  });

  test('refunds a Pix', async () => {
    const { id } = await shop.pixPayment();
    await shop.simulate(id, 'paid');
    await shop.refund(id, 2_000);
    assert.deepEqual(amounts(await shop.payment(id)), ['partially_refunded', 5_000, 2_000]);
  });

  test('does not change the payment if the refund is denied', async () => {
    const { id } = await paid('4000000000001240');
    const { status, body } = await shop.refund(id, 4_000);
    assert.deepEqual([status, body.status, body.amount], [201, 'denied', 4_000]);
    const payment = await shop.payment(id);
    assert.deepEqual(amounts(payment), ['paid', 10_000, 0]);
    assert.deepEqual(statusesOf(payment).slice(2), ['paid', 'refund_in_progress', 'paid']);
    assert.deepEqual((await shop.eventNames(id)).slice(3), [
      'payment.refund_in_progress',
      'payment.refund_denied',
    ]);
    assert.equal((await shop.refund(id)).body.amount, 10_000, 'all of it is still there to be asked for');
  });

  for (const [number, status, left, event] of [
    ['4000000000007726', 'succeeded', ['partially_refunded', 10_000, 4_000], 'payment.refunded'],
    ['4000000000005126', 'denied', ['paid', 10_000, 0], 'payment.refund_denied'],
  ] as const) {
    test(`stays in progress until it is decided a day later: ${status}`, async () => {
      const { id } = await paid(number);
      const { body } = await shop.refund(id, 4_000);
      assert.equal(body.status, 'in_progress');
      assert.deepEqual(amounts(await shop.payment(id)), ['refund_in_progress', 10_000, 0]);
      assertRefused(await shop.refund(id, 6_001), 'amount');

      await shop.acquirerWorks(DAY_MS + 1_000);
      const [refund] = (await shop.get(`/payments/${id}/refunds`)).data;
      assert.deepEqual([refund.id, refund.status], [body.id, status]);
      assert.deepEqual(amounts(await shop.payment(id)), left);
      assert.equal((await shop.eventNames(id)).at(-1), event);
    });
  }

  test('stores the reason and the metadata of each refund', async () => {
    const { id } = await paid();
    const reason = 'Devolução: produto com defeito 🙁'.padEnd(200, '.');
    const metadata = { ticket: '4711', loja: 'Centro' };
    const { status, body } = await shop.post(`/payments/${id}/refunds`, { amount: 100, reason, metadata });
    assert.deepEqual([status, body.reason, body.metadata], [201, reason, metadata]);
    const { body: plain } = await shop.refund(id, 100);
    assert.deepEqual([plain.reason, plain.metadata, plain.denial], [null, {}, null]);
    assert.deepEqual((await shop.get(`/payments/${id}/refunds`)).data, [plain, body]);
  });

  test('shows the reason of a denied refund, with the codes and messages of the contract', async () => {
    const { id, customer_id } = await paid();
    const outcomes = ['account_closed', 'processing_error'].map((outcome) => ({
      operation: 'refund',
      outcome,
    }));
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    const { body: closed } = await shop.refund(id, 100);
    assert.equal(closed.status, 'denied');
    assert.deepEqual(closed.denial, {
      code: 'account_closed',
      message: 'The account that the money would go back to is closed.',
    });
    const { body: failed } = await shop.refund(id, 100);
    assert.deepEqual(failed.denial, {
      code: 'processing_error',
      message: 'The refund could not be processed. Try again.',
    });
    assert.deepEqual((await shop.get(`/payments/${id}/refunds`)).data, [failed, closed]);
  });

  test('shows an unknown code of the acquirer as processing_error', async () => {
    const { id } = await paid();
    const refusal = { code: 'acq_57', message: 'Internal code 57.', retryable: false };
    const own = service.intercept(() => ({
      refund: async ({ amount_centavos }) => ({
        kind: 'refused',
        refusal,
        operation: 'refund',
        method: 'credit_card',
        amount_centavos,
      }),
    }));
    try {
      const { body } = await shop.refund(id, 100);
      assert.equal(body.status, 'denied');
      // It cannot be retried, so the sentence does not ask for it.
      assert.deepEqual(body.denial, {
        code: 'processing_error',
        message: 'The refund could not be processed.',
      });
      assert.doesNotMatch(JSON.stringify(body), /acq_57|code 57/);
    } finally {
      own.undo();
    }
  });

  test('also for a suspended account', async () => {
    const closing = await Shop.open(service);
    const { id } = await closing.cardPayment();
    await closing.suspend();
    assert.equal((await closing.refund(id)).body.status, 'succeeded');
  });
});

describe('at once', () => {
  test('50 refunds return exactly the captured amount', async () => {
    const { id } = await paid(undefined, 1_000);
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.refund(id, 30)));
    const given = answers.filter(({ status }) => status === 201);
    assert.equal(given.length, 33);
    assert.ok(given.every(({ body }) => body.status === 'succeeded'));
    for (const answer of answers) if (!given.includes(answer)) assertRefused(answer, 'amount');
    assert.deepEqual(amounts(await shop.payment(id)), ['partially_refunded', 1_000, 990]);
    assert.equal((await shop.refund(id)).body.amount, 10);
  });

  test('one of 10 refunds of the rest succeeds', async () => {
    const { id } = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => shop.refund(id)));
    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    assert.deepEqual(amounts(await shop.payment(id)), ['refunded', 10_000, 10_000]);
  });
});

describe('422', () => {
  test('a payment that is not captured', async () => {
    const canceled = await shop.authorized();
    await shop.cancel(canceled.id);
    const ids = [
      canceled.id,
      (await shop.authorized()).id,
      (await shop.cardPayment({ number: '4000000000000002' })).id,
      (await shop.pixPayment()).id,
    ];
    for (const id of ids) {
      assertRefused(await shop.refund(id), 'status');
      assert.deepEqual((await shop.get(`/payments/${id}/refunds`)).data, []);
    }
  });

  test('a malformed amount, or one that is too large', async () => {
    const { id } = await paid();
    for (const amount of [0, -1, 0.5, '100', null, true, 1e300, 10_001, 9_999_999_999, 10_000_000_000]) {
      assertRefused(await shop.post(`/payments/${id}/refunds`, { amount }), 'amount');
    }
    assertRefused(await shop.post(`/payments/${id}/refunds`, { amount: 1, note: 'x' }), 'note');
    assert.deepEqual(amounts(await shop.payment(id)), ['paid', 10_000, 0]);
  });

  test('a reason or metadata that cannot be stored', async () => {
    const { id } = await paid();
    for (const reason of ['', 'x'.repeat(201), null, 7, 'a\u0000b']) {
      assertRefused(await shop.post(`/payments/${id}/refunds`, { reason }), 'reason');
    }
    const metadata = { long: 'x'.repeat(501) };
    assertRefused(await shop.post(`/payments/${id}/refunds`, { metadata }), 'metadata.long');
    assert.deepEqual(amounts(await shop.payment(id)), ['paid', 10_000, 0]);
  });

  test('a payment in a dispute', async () => {
    const { id } = await paid();
    await shop.simulate(id, 'chargeback_requested');
    assertRefused(await shop.refund(id), 'status');
    await shop.simulate(id, 'chargeback_won');
    assert.equal((await shop.refund(id)).body.status, 'succeeded');
  });
});

describe('listRefunds', () => {
  test('lists them newest first, page by page, and answers a wrong page with 422', async () => {
    const { id } = await paid();
    for (const amount of [1, 2, 3]) await shop.refund(id, amount);
    const first = await shop.get(`/payments/${id.toUpperCase()}/refunds?per_page=2`);
    assert.deepEqual(
      first.data.map((refund: Json) => refund.amount),
      [3, 2],
    );
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = await shop.get(`/payments/${id}/refunds?per_page=2&cursor=${cursor}`);
    assert.deepEqual([second.data[0].amount, second.pagination.has_more], [1, false]);
    assertRefused(await shop.call('GET', `/payments/${id}/refunds?per_page=0`), 'per_page');
    assertRefused(await shop.call('GET', `/payments/${id}/refunds?cursor=x`), 'cursor');
  });
});
