/** What a request for a subscription by boleto or Pix says about its charges. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { simulated } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { issuedBody, PAYER } from '../../support/subscriptions/issued-charges.ts';
import { subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);

test('the first boleto is due on the day of the request, and only if it is issued now', async () => {
  const bank_slip = { due_at: addDays(today(), 10) };
  const { payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip', bank_slip })));
  assert.deepEqual([payment.bank_slip.due_at, payment.billing_date], [bank_slip.due_at, bank_slip.due_at]);
  const later = issuedBody({ payment_method: 'bank_slip', bank_slip }, { trial_days: 5 });
  assertRefused(await subscribe(shop, later), 'payment.bank_slip.due_at');
  const past = issuedBody({ payment_method: 'bank_slip', bank_slip: { due_at: addDays(today(), -1) } });
  assertRefused(await subscribe(shop, past), 'payment.bank_slip.due_at');
});

test('the first Pix can be paid until the time of the request', async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { payment } = await created(
    subscribe(shop, issuedBody({ payment_method: 'pix', pix: { expires_at } })),
  );
  assert.equal(Date.parse(payment.pix.expires_at), Date.parse(expires_at));
  const later = issuedBody({ payment_method: 'pix', pix: { expires_at } }, { start_at: addDays(today(), 5) });
  assertRefused(await subscribe(shop, later), 'payment.pix.expires_at');
});

test('a boleto needs a tax number and an address of the customer', async () => {
  const customer = { name: 'Bia Lima', email: 'bia@example.com' };
  assertRefused(
    await subscribe(shop, issuedBody({ payment_method: 'bank_slip' }, { customer })),
    'customer.documents',
    'customer.addresses',
  );
  const { id } = await created(subscribe(shop, issuedBody({ payment_method: 'pix' }, { customer })));
  const put = await shop.call('PUT', `/subscriptions/${id}/payment-method`, {
    body: { payment_method: 'bank_slip' },
  });
  assertRefused(put, 'customer.documents', 'customer.addresses');
});

test('later boletos name the payer of the request if the stored customer has no address', async () => {
  const { email, documents, addresses } = PAYER;
  const customerId = await shop.customer({ email, documents: [], addresses: [] });
  const byId = { customer: { id: customerId, documents, addresses } };
  const ids: string[] = [];
  for (const named of [{}, byId]) {
    const { id, payment } = await created(
      subscribe(shop, issuedBody({ payment_method: 'bank_slip' }, named)),
    );
    await simulated(shop, payment.id, 'paid');
    ids.push(id);
  }
  await advance(shop, { to: `${addDays(inMonths(1), -5)}T06:00:00-03:00` });
  for (const id of ids)
    assert.deepEqual((await shop.get(`/subscriptions/${id}`)).payment.status, 'waiting_payment');
});

/** Changes how a subscription is paid. */
async function put(id: string, payment: object): Promise<void> {
  const { status, text } = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body: payment });
  assert.equal(status, 200, text);
}

test('a new boleto names the payer of the first request, whatever was charged before', async () => {
  const { email, documents, addresses } = PAYER;
  const id = await shop.customer({ email, documents: [], addresses: [] });
  const customer = { id, documents, addresses };
  const credit_card = { id: await shop.card(id) };
  for (const payment of [{ payment_method: 'bank_slip' }, { payment_method: 'credit_card', credit_card }]) {
    const subscription = await created(subscribe(shop, issuedBody(payment, { customer })));
    await put(subscription.id, { payment_method: 'bank_slip' });
    await put(subscription.id, { payment_method: 'credit_card', credit_card });
    await put(subscription.id, { payment_method: 'bank_slip' });
  }
});

/** Who is named by the boleto of the second cycle. */
async function secondPayer(id: string) {
  const [row] = await service.rows<{ payer: { name: string; document: string; address: { line1: string } } }>(
    "select details -> 'payer' as payer from payments where subscription_id = :id and cycle = 2",
    { id },
  );
  const { name, document, address } = row!.payer;
  return [name, document, address.line1];
}

const secondBoleto = () => advance(shop, { to: `${addDays(inMonths(1), -5)}T06:00:00-03:00` });

async function changeCustomer(id: string, changes: object): Promise<void> {
  const { status, text } = await shop.call('PUT', `/customers/${id}`, { body: changes });
  assert.equal(status, 200, text);
}

/** A subscription whose first boleto is paid. */
async function paidByBoleto(changes: object) {
  const subscription = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' }, changes)));
  await simulated(shop, subscription.payment.id, 'paid');
  return subscription;
}

describe('a customer whose data the merchant removes', () => {
  for (const removed of [{ documents: [] }, { addresses: [] }, { documents: [], addresses: [] }]) {
    test(`is still named by boletos as by the first one ${Object.keys(removed)}`, async () => {
      const customerId = await shop.customer(PAYER);
      const { id } = await paidByBoleto({ customer: { id: customerId } });
      await changeCustomer(customerId, removed);
      await secondBoleto();
      assert.deepEqual(await secondPayer(id), [PAYER.name, '52998224725', 'Avenida Paulista']);
    });
  }

  test('is still named by boletos if it had the data when boletos were chosen', async () => {
    const { email, documents, addresses } = PAYER;
    const customerId = await shop.customer({ email, documents: [], addresses: [] });
    const body = issuedBody({ payment_method: 'pix' }, { customer: { id: customerId } });
    const { id, payment } = await created(subscribe(shop, body));
    await simulated(shop, payment.id, 'paid');
    await changeCustomer(customerId, { documents, addresses });
    await put(id, { payment_method: 'bank_slip' });
    await changeCustomer(customerId, { documents: [], addresses: [] });
    await secondBoleto();
    assert.deepEqual((await secondPayer(id)).slice(1), ['52998224725', 'Avenida Paulista']);
  });

  test('is kept as it was when a mandate was requested', async () => {
    const customerId = await shop.customer(PAYER);
    const body = issuedBody({ payment_method: 'pix' }, { customer: { id: customerId } });
    const { id, payment } = await created(subscribe(shop, body));
    await simulated(shop, payment.id, 'paid');
    await changeCustomer(customerId, { documents: [{ type: 'cpf', value: '11144477735' }] });
    await put(id, { payment_method: 'pix_recurring' });
    await changeCustomer(customerId, { documents: [], addresses: [] });
    const [row] = await service.rows<{ payer: { document: { value: string } } }>(
      'select payer from subscriptions where id = :id',
      { id },
    );
    assert.equal(row!.payer.document.value, '11144477735');
  });

  test('is not kept by a subscription that has ended', async () => {
    const customerId = await shop.customer(PAYER);
    const { id } = await paidByBoleto({ customer: { id: customerId } });
    assert.equal((await shop.call('POST', '/subscriptions/cancel', { body: { id } })).status, 200);
    await advance(shop, { days: 40 });
    const rows = await service.rows('select status, payer from subscriptions where id = :id', { id });
    assert.deepEqual(rows, [{ status: 'ended', payer: null }]);
  });

  test('delays a boleto that can name nobody by 7 days, after which it counts as refused', async () => {
    const customerId = await shop.customer(PAYER);
    const { id } = await paidByBoleto({ customer: { id: customerId } });
    // Stored by an earlier version.
    await service.rows('update subscriptions set payer = null where id = :id', { id });
    await changeCustomer(customerId, { addresses: [] });
    await advance(shop, { to: `${addDays(inMonths(1), 2)}T05:59:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'active');
    const { events } = await advance(shop, { days: 1 });
    assert.deepEqual(
      events.map(({ event }: Json) => event),
      ['subscription.charge_failed', 'subscription.unpaid'],
    );
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'unpaid');
  });

  test('is named by boletos with what the merchant sends later', async () => {
    const customerId = await shop.customer(PAYER);
    const { id } = await paidByBoleto({ customer: { id: customerId } });
    await changeCustomer(customerId, { documents: [{ type: 'cpf', value: '11144477735' }] });
    await secondBoleto();
    assert.deepEqual(await secondPayer(id), [PAYER.name, '11144477735', 'Avenida Paulista']);
  });
});

test('a subscription that a buyer has started names the buyer, whatever is stored of the customer', async () => {
  const stored = await shop.customer({ ...PAYER, name: 'Maria' });
  const { email } = await shop.get(`/customers/${stored}`);
  const monthly = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], amount: 4_990 };
  const page = await CheckoutPage.ofLink(shop, monthly);
  const documents = [{ type: 'cpf', value: '11144477735' }];
  const addresses = [{ ...PAYER.addresses[0]!, line_1: 'Rua do Joao' }];
  const customer = { name: 'Joao', email, documents, addresses };
  const { hash } = await page.subscribed(await page.subscriptionBody({ customer }));
  const { id } = await shop.get(`/subscriptions/${hash}`);
  await put(id, { payment_method: 'bank_slip' });
  await secondBoleto();
  assert.deepEqual(await secondPayer(id), ['Joao', '11144477735', 'Rua do Joao']);

  const withoutAddress = await page.subscriptionBody({ customer: { name: 'Joao', email, documents } });
  const other = await page.subscribed(withoutAddress);
  const { id: otherId } = await shop.get(`/subscriptions/${other.hash}`);
  const path = `/subscriptions/${otherId}/payment-method`;
  const changed = await shop.call('PUT', path, { body: { payment_method: 'bank_slip' } });
  assertRefused(changed, 'customer.addresses');
});

describe('a customer whose data a buyer typed at a page', () => {
  const email = 'bia@example.com';
  const address = (line_1: string) => [{ ...PAYER.addresses[0]!, line_1 }];
  const MONTHLY = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], amount: 4_990 };
  beforeEach(async () => {
    const page = await CheckoutPage.ofLink(shop);
    const documents = [{ type: 'cpf', value: '11144477735' }];
    await page.paid(
      pixBody({ customer: { name: 'Bia', email, documents, addresses: address('Rua Digitada') } }),
    );
  });

  for (const changes of [{}, { metadata: { vip: 'yes' } }]) {
    test(`pays with what the request of the merchant says ${JSON.stringify(changes)}`, async () => {
      const { id: customerId } = await shop.get(`/customers/${email}`);
      const { documents, addresses } = PAYER;
      const customer = { id: customerId, documents, addresses };
      const { id } = await paidByBoleto({ customer });
      await changeCustomer(customerId, changes);
      await secondBoleto();
      assert.deepEqual(await secondPayer(id), ['Bia', '52998224725', 'Avenida Paulista']);
    });
  }

  test('pays with what was typed, also after the merchant has replaced it by less', async () => {
    const { id: customerId } = await shop.get(`/customers/${email}`);
    const { id } = await paidByBoleto({ customer: { id: customerId } });
    await changeCustomer(customerId, { metadata: { vip: 'yes' } });
    await shop.cardPayment({ customer: { name: 'Bia', email } });
    const { documents, metadata } = await shop.get(`/customers/${customerId}`);
    assert.deepEqual([documents, metadata], [[], { vip: 'yes' }]);
    await secondBoleto();
    assert.deepEqual(await secondPayer(id), ['Bia', '11144477735', 'Rua Digitada']);
  });

  for (const changes of [{}, { phone: { type: 'mobile', ddi: '55', ddd: '11', number: '999998888' } }]) {
    test(`is not named by a subscription that another buyer has started ${JSON.stringify(changes)}`, async () => {
      const page = await CheckoutPage.ofLink(shop, MONTHLY);
      const { documents } = PAYER;
      const customer = { name: 'Ana', email, documents, addresses: address('Rua da Ana') };
      const { hash } = await page.subscribed(await page.subscriptionBody({ customer }));
      const { id } = await shop.get(`/subscriptions/${hash}`);
      await changeCustomer(email, changes);
      await put(id, { payment_method: 'bank_slip' });
      await secondBoleto();
      assert.deepEqual(await secondPayer(id), ['Ana', '52998224725', 'Rua da Ana']);
    });
  }
});
