/** Names and addresses that were stored before the contract refused control characters in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ADDRESS, customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { sharedShop } from '../../support/shared-service.ts';

const { service, shop } = await sharedShop();

const STORED = {
  type: 'billing',
  line1: 'Rua A\r\nFundos',
  line2: '\t',
  number: '\n',
  neighborhood: 'Centro\u0007',
  city: 'São  Paulo',
  state: 'S\n',
  postalCode: '01310200',
  country: 'BR',
};
const SHOWN = {
  type: 'billing',
  line_1: 'Rua A Fundos',
  line_2: '-',
  number: '-',
  neighborhood: 'Centro',
  city: 'São  Paulo',
  state: 'S-',
  postal_code: '01310200',
  country: 'BR',
};

test('a stored customer is answered as the contract allows it, so that it can be sent back', async () => {
  const id = await shop.customer();
  await service.rows(
    `update customers set name = :name, addresses = cast(:addresses as jsonb) where id = :id`,
    { id, name: 'Bia\nLima', addresses: JSON.stringify([STORED]) },
  );
  const customer = await shop.get(`/customers/${id}`);
  assert.deepEqual([customer.name, customer.addresses], ['Bia Lima', [SHOWN]]);
  assert.deepEqual((await shop.get('/customers')).data[0].addresses, [SHOWN]);
  const { name, email, documents, addresses, phone } = customer;
  const body = { name, email, documents, addresses, ...(phone !== null && { phone }) };
  const { status, text } = await shop.call('PUT', `/customers/${id}`, { body });
  assert.equal(status, 200, text);
});

test('the stored buyer of an order is answered as the contract allows it', async () => {
  const page = await CheckoutPage.ofLink(shop);
  await page.paid(pixBody({ customer: customerBody({ addresses: [ADDRESS] }) }));
  const [{ order_id }] = (await shop.get('/payments')).data;
  await service.rows(
    `update orders set buyer = jsonb_set(buyer, '{addresses}', cast(:addresses as jsonb)) where id = :id`,
    { id: order_id, addresses: JSON.stringify([STORED]) },
  );
  assert.deepEqual((await shop.get(`/charges/orders/${order_id}`)).buyer.addresses, [SHOWN]);
});
