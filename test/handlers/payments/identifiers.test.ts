import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json, TestAnswer } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { UNKNOWN_ID } from '../../support/shop.ts';

const { shop } = await sharedShop();

const paidPix = async () => {
  const payment = await shop.pixPayment();
  await shop.simulate(payment.id, 'paid');
  return payment;
};

/** Each operation on a payment: what it needs, how it is asked, and what shows that it reached that payment. */
const OPERATIONS: Readonly<
  Record<
    string,
    {
      card?: () => Promise<Json>;
      pix?: () => Promise<Json>;
      ask: (identifier: string) => Promise<TestAnswer>;
      status: number;
      reached: (answer: Json) => string | undefined;
    }
  >
> = {
  getPayment: {
    card: () => shop.cardPayment(),
    pix: () => shop.pixPayment(),
    ask: (identifier) => shop.call('GET', `/payments/${identifier}`),
    status: 200,
    reached: ({ id }) => id,
  },
  capturePayment: {
    card: () => shop.authorized(),
    ask: (identifier) => shop.post(`/payments/${identifier}/capture`),
    status: 200,
    reached: ({ id, status }) => (status === 'paid' ? id : undefined),
  },
  cancelPayment: {
    card: () => shop.authorized(),
    pix: () => shop.pixPayment(),
    ask: (identifier) => shop.post(`/payments/${identifier}/cancel`),
    status: 200,
    reached: ({ id, status }) => (status === 'canceled' ? id : undefined),
  },
  createRefund: {
    card: () => shop.cardPayment(),
    pix: paidPix,
    ask: (identifier) => shop.post(`/payments/${identifier}/refunds`, { amount: 100 }),
    status: 201,
    reached: ({ payment_id }) => payment_id,
  },
  listRefunds: {
    card: async () => {
      const payment = await shop.cardPayment();
      await shop.refund(payment.id, 100);
      return payment;
    },
    pix: async () => {
      const payment = await paidPix();
      await shop.refund(payment.id, 100);
      return payment;
    },
    ask: (identifier) => shop.call('GET', `/payments/${identifier}/refunds`),
    status: 200,
    reached: ({ data }) => data[0]?.payment_id,
  },
  simulatePayment: {
    card: () => shop.authorized(),
    ask: (identifier) => shop.post(`/sandbox/payments/${identifier}/simulate`, { outcome: 'fraud' }),
    status: 200,
    reached: ({ id, status }) => (status === 'refused' ? id : undefined),
  },
};

/** The four names of a payment (contract row 7.5). */
const NAMES: [name: string, method: 'card' | 'pix', of: (payment: Json) => string][] = [
  ['id', 'card', ({ id }) => id],
  ['id in upper case', 'card', ({ id }) => id.toUpperCase()],
  ['hash', 'card', ({ hash }) => hash],
  ['order code', 'card', ({ order_code }) => encodeURIComponent(order_code)],
  ['txid', 'pix', ({ pix }) => pix.txid],
];

for (const [operationId, { ask, status, reached, ...makes }] of Object.entries(OPERATIONS)) {
  describe(`${operationId} finds its payment`, () => {
    for (const [name, method, nameOf] of NAMES) {
      const make = makes[method];
      if (make === undefined) continue;
      test(`by ${name}`, async () => {
        const payment = await make();
        const answer = await ask(nameOf(payment));
        assert.deepEqual([answer.status, reached(answer.body)], [status, payment.id], answer.text);
      });
    }

    test('by no other identifier', async () => {
      for (const name of [UNKNOWN_ID, 'none', '%00', '%zz', 'x'.repeat(5_000)]) {
        const answer = await ask(name);
        assert.deepEqual([answer.status, answer.body], [404, { message: 'Payment not found.' }], name);
      }
    });
  });
}

test('a Pix is paid by simulate under its txid', async () => {
  const { id, pix } = await shop.pixPayment();
  const { body } = await shop.post(`/sandbox/payments/${pix.txid}/simulate`, { outcome: 'paid' });
  assert.deepEqual([body.id, body.status], [id, 'paid']);
});

test('an operation with an id or hash never finds a payment whose order has it as its code', async () => {
  for (const name of ['id', 'hash']) {
    const meant = await shop.authorized();
    const other = await shop.placed({ ...(await shop.cardOrderBody({ capture: false })), code: meant[name] });
    const { body } = await shop.capture(meant[name]);
    assert.equal(body.id, meant.id);
    assert.equal((await shop.payment(other.payment.id)).status, 'pre_authorized');
  }
});
