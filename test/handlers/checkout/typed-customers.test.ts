/** Anyone can type any e-mail address at a checkout page, so the merchant's own data replaces what a buyer typed. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ADDRESS, CNPJ, CPF, customerBody, newEmail } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let email: string;
let typed: Json;
const DOCUMENTS = [{ type: 'cnpj', value: CNPJ }];

beforeEach(async () => {
  shop = await Shop.open(service);
  email = newEmail();
  await buyAs('Mallory', [{ type: 'cpf', value: CPF }]);
  typed = await stored();
});

async function buyAs(name: string, documents: object[] = []): Promise<void> {
  const page = await CheckoutPage.ofLink(shop);
  await page.paid(pixBody({ customer: { name, email, documents } }));
}

const stored = async (): Promise<Json> => (await shop.get(`/customers?email=${email}`)).data[0];

const order = (customer: object, fields: object = {}) =>
  shop.post('/charges/orders', {
    code: crypto.randomUUID(),
    mcc: '5734',
    customer,
    payment: { payment_method: 'pix', amount: 1_000, ...fields },
  });

describe('the data of a buyer whose e-mail address was unknown', () => {
  test('is stored as the customer, and other buyers do not change it', async () => {
    assert.deepEqual([typed.name, typed.documents[0].value], ['Mallory', CPF]);
    await buyAs('Another buyer');
    assert.deepEqual(await stored(), typed);
  });

  test('is replaced by an order of the merchant', async () => {
    await created(order({ name: 'Ana', email: email.toUpperCase(), documents: DOCUMENTS }));
    const { id, name, documents, email: written } = await stored();
    assert.deepEqual([id, name, documents], [typed.id, 'Ana', DOCUMENTS]);
    assert.equal(written, email.toUpperCase());
  });

  test('is not used by an order of the merchant that sends less', async () => {
    const refused = await order(
      { name: 'Ana', email, addresses: [ADDRESS] },
      { payment_method: 'bank_slip' },
    );
    assert.deepEqual(Object.keys(refused.body.errors), ['customer.documents']);
    assert.deepEqual(await stored(), typed, 'a refused order changes nothing');
    await created(order({ name: 'Ana', email }));
    assert.deepEqual((await stored()).documents, []);
  });

  test('is replaced by POST /customers, which keeps the identifier', async () => {
    const answer = await created(
      shop.post('/customers', customerBody({ name: 'Ana', email, documents: DOCUMENTS })),
    );
    assert.deepEqual([answer.id, answer.name, answer.documents], [typed.id, 'Ana', DOCUMENTS]);
    assert.deepEqual(await stored(), answer);
    const again = await shop.post('/customers', customerBody({ email }));
    assert.deepEqual([again.status, Object.keys(again.body.errors)], [422, ['email']]);
  });

  test('is replaced once by simultaneous requests of the merchant', async () => {
    const posts = Array.from({ length: 8 }, () => shop.post('/customers', customerBody({ email })));
    const statuses = (await Promise.all(posts)).map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, ...Array(7).fill(422)]);
  });

  test('reports other problems of POST /customers without a problem of the e-mail address', async () => {
    const documents = [{ type: 'cpf', value: '52998224724' }];
    const { body } = await shop.post('/customers', customerBody({ email, documents }));
    assert.deepEqual(Object.keys(body.errors), ['documents.0.value']);
  });
});

describe('what the merchant wrote', () => {
  const change = (fields: object) => shop.call('PUT', `/customers/${typed.id}`, { body: fields });

  test('is used by later orders, also after a change by PUT', async () => {
    assert.equal((await change({ name: 'Ana' })).status, 200);
    await created(order({ name: 'Another name', email }));
    assert.deepEqual([(await stored()).name, (await stored()).documents], ['Ana', typed.documents]);
  });

  test('is not changed by a buyer', async () => {
    await change({ name: 'Ana', documents: DOCUMENTS });
    const before = await stored();
    await buyAs('Mallory', [{ type: 'cpf', value: CPF }]);
    assert.deepEqual(await stored(), before);
  });
});
