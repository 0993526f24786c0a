import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderBodies } from '../../support/orders/order-bodies.ts';
import { ADDRESS, customerBody } from '../../support/orders/parties.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const { good, pix, card, line } = await orderBodies(shop);

describe('403', () => {
  for (const status of ['pending', 'suspended'] as const) {
    test(`an account that is ${status}`, async () => {
      const other = await Shop.open(service, { status });
      const answer = await other.order(other.pixOrderBody());
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden']);
    });
  }
});

describe('422 by the contract', () => {
  const CASES: readonly [what: string, body: () => object, ...paths: string[]][] = [
    ['nothing', () => ({}), 'code', 'mcc', 'customer', 'payment'],
    ['an unknown field', () => pix({}, { merchant_id: 'x' }), 'merchant_id'],
    [
      'unknown fields inside',
      () => pix({ splits: [] }, { items: [{ ...line(1, 5_000), sku: 1 }] }),
      'payment.splits',
      'items.0.sku',
    ],
    ['an amount of 0', () => pix({ amount: 0 }), 'payment.amount'],
    ['a negative amount', () => pix({ amount: -1 }), 'payment.amount'],
    ['half a centavo', () => pix({ amount: 10.5 }), 'payment.amount'],
    ['an amount as text', () => pix({ amount: '5000' }), 'payment.amount'],
    ['an amount above the largest', () => pix({ amount: 10_000_000_000 }), 'payment.amount'],
    ['an amount that no number holds', () => pix({ amount: 1e300 }), 'payment.amount'],
    ['another currency', () => pix({ currency: 'USD' }), 'payment.currency'],
    ['an unknown method', () => pix({ payment_method: 'cash' }), 'payment.payment_method'],
    ['Pix recurring', () => pix({ payment_method: 'pix_recurring' }), 'payment.payment_method'],
    ['an MCC of letters', () => pix({}, { mcc: 'abcd' }), 'mcc'],
    ['an empty code', () => pix({}, { code: '' }), 'code'],
    ['a code of 65 characters', () => pix({}, { code: 'x'.repeat(65) }), 'code'],
    ['a code that cannot be printed', () => pix({}, { code: 'pedido\n1' }), 'code'],
    ['a card without its block', () => pix({ payment_method: 'credit_card' }), 'payment.credit_card'],
    ['a card with the block of Pix', () => card({ pix: {} }), 'payment.pix'],
    [
      'a Pix with the block of a card',
      () => pix({ credit_card: { id: good.payment.credit_card.id } }),
      'payment.credit_card',
    ],
    ['a Pix in installments', () => pix({ installments: 2 }), 'payment.installments'],
    ['no installment', () => card({ installments: 0 }), 'payment.installments'],
    ['13 installments', () => card({ installments: 13 }), 'payment.installments'],
    ['a card id that is none', () => card({}, { id: 'abc' }), 'payment.credit_card.id'],
    [
      'a descriptor of 23 characters',
      () => card({}, { statement_descriptor: 'x'.repeat(23) }),
      'payment.credit_card.statement_descriptor',
    ],
    ['a customer of nothing', () => pix({}, { customer: {} }), 'customer.name', 'customer.email'],
    ['a customer without e-mail', () => pix({}, { customer: { name: 'Ana' } }), 'customer.email'],
    ['an empty list of items', () => pix({}, { items: [] }), 'items'],
    ['101 items', () => pix({}, { items: Array(101).fill(line(1, 1)) }), 'items'],
    ['an item of none', () => pix({}, { items: [line(0, 5_000)] }), 'items.0.quantity'],
    [
      'items in part',
      () => pix({}, { items: [{ name: '', quantity: 1.5, amount: -1 }] }),
      'items.0.name',
      'items.0.quantity',
      'items.0.amount',
    ],
    ['metadata with a number', () => pix({}, { metadata: { n: 1 } }), 'metadata.n'],
    ['an instant that is none', () => pix({ pix: { expires_at: 'tomorrow' } }), 'payment.pix.expires_at'],
    [
      'an instant without offset',
      () => pix({ pix: { expires_at: '2099-01-01T00:00:00' } }),
      'payment.pix.expires_at',
    ],
    [
      'a check digit and a country',
      () =>
        pix(
          {},
          {
            customer: customerBody({
              documents: [{ type: 'cpf', value: '52998224724' }],
              addresses: [{ ...ADDRESS, country: 'XX' }],
            }),
          },
        ),
      'customer.documents.0.value',
      'customer.addresses.0.country',
    ],
  ];
  for (const [what, body, ...paths] of CASES) {
    test(what, async () => assertRefused(await shop.order(body()), ...paths));
  }
});

describe('422 by the account', () => {
  test('an MCC of another account', async () => {
    assertRefused(await shop.order(pix({}, { mcc: '1234' })), 'mcc');
  });

  test('a method that is not enabled', async () => {
    const other = await Shop.open(service, { paymentMethods: ['credit_card'] });
    assertRefused(await other.order(other.pixOrderBody()), 'payment.payment_method');
  });

  const SUMS: readonly [what: string, amount: number, items: object[]][] = [
    ['a centavo less', 5_001, [line(1, 5_000)]],
    ['a centavo more', 4_999, [line(2, 2_500)]],
    ['a sum of nothing', 1, [line(1, 0)]],
    ['a sum that wraps at 64 bits', 5_000, Array(100).fill(line(100_000, 9_999_999_999))],
  ];
  for (const [what, amount, items] of SUMS) {
    test(`items of ${what}`, async () =>
      assertRefused(await shop.order(pix({ amount }, { items })), 'payment.amount'));
  }

  test('more installments than the amount has centavos', async () => {
    const answer = await shop.order(card({ amount: 5, installments: 12 }));
    assertRefused(answer, 'payment.installments');
    assert.deepEqual(answer.body.errors['payment.installments'], [
      'Each installment is at least 1 centavo: the amount can have at most 5.',
    ]);
    assert.equal((await shop.order(card({ amount: 12, installments: 12 }))).status, 201);
  });

  test('an expiry that is past, now, or more than 30 days ahead', async () => {
    const now = Date.now();
    for (const ms of [-1_000, 0, 30 * 86_400_000 + 60_000]) {
      const expires_at = new Date(now + ms).toISOString();
      assertRefused(await shop.order(pix({ pix: { expires_at } })), 'payment.pix.expires_at');
    }
    assertRefused(
      await shop.order(pix({ pix: { expires_at: '2016-12-31T23:59:60Z' } })),
      'payment.pix.expires_at',
    );
  });
});

// Refused ones: test/handlers/webhooks/hostile-destinations.test.ts.
describe('201 with a notification_url', () => {
  test('whose name does not resolve now', async () => {
    const notification_url = 'https://hooks.loja.invalid/pedidos';
    assert.equal((await shop.placed(pix({}, { notification_url }))).notification_url, notification_url);
  });
});
