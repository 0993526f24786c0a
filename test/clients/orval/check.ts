import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CreateOrderBody, GetMerchantResponse } from '../../../clients/orval/centavo.ts';

const { CENTAVO_URL, CENTAVO_KEY } = process.env;

test('reads a real answer', async () => {
  const headers = { Authorization: `Bearer ${CENTAVO_KEY}` };
  const merchant = await (await fetch(`${CENTAVO_URL}/api/v1/merchant`, { headers })).json();
  assert.deepEqual(GetMerchantResponse.parse(merchant), merchant);
});

test('accepts an order without the fields that have a default, and does not add them', () => {
  const order = {
    code: 'order-1',
    mcc: '5734',
    customer: { name: 'Ana Souza', email: 'ana@example.com' },
    payment: { amount: 4990, payment_method: 'pix' },
  };
  assert.deepEqual(CreateOrderBody.parse(order), order);
});

test('refuses an amount of 0 with its path', () => {
  const refused = CreateOrderBody.safeParse({
    code: 'order-1',
    mcc: '5734',
    customer: {},
    payment: { amount: 0, payment_method: 'pix' },
  });
  assert.deepEqual(
    refused.error?.issues.map(({ path }) => path.join('.')),
    ['payment.amount'],
  );
});
