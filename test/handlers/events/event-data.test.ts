/** The `data` of an event is the payment or subscription as its GET answers at that moment, whatever pays. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { authorize, requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { subscribedByWallet } from '../../support/subscriptions/subscription-calls.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const service = await sharedService({ jobs: false });

/**
 * The statuses of the latest payment and of the subscriptions, after the check of their latest events. The `payment` in
 * a subscription can change after its latest event, with an event of its own. It is then compared with that one.
 */
async function checked(shop: Shop): Promise<string> {
  const { data: events } = await shop.get('/events?per_page=100');
  const [payment] = (await shop.get('/payments?per_page=1')).data;
  const subscriptions: Json[] = (await shop.get('/subscriptions')).data;
  const objects = [['/payments', payment], ...subscriptions.map((one) => ['/subscriptions', one])] as const;
  for (const [path, { id }] of objects as readonly (readonly [string, Json])[]) {
    const latest = events.find(({ object_id }: Json) => object_id === id);
    const now = await shop.get(`${path}/${id}`);
    const ofPayment = events.find(({ object_id }: Json) => object_id === now.payment?.id);
    const isNewer = ofPayment !== undefined && events.indexOf(ofPayment) < events.indexOf(latest);
    assert.deepEqual(isNewer ? { ...latest.data, payment: ofPayment.data } : latest.data, now, latest.event);
    assert.deepEqual((await shop.get(`/events/${latest.id}`)).data, latest.data);
  }
  return [payment, ...subscriptions].map(({ status }) => status).join(', ');
}

describe('the events of', () => {
  it('a boleto', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.bankSlipPayment();
    assert.equal(await checked(shop), 'waiting_payment');
    await shop.simulate(id, 'paid');
    assert.equal(await checked(shop), 'paid');
    await shop.refund(id, 1_000);
    assert.equal(await checked(shop), 'partially_refunded');
    await shop.cancel((await shop.bankSlipPayment()).id);
    assert.equal(await checked(shop), 'canceled');
  });

  it('a debit card', async () => {
    const shop = await Shop.open(service);
    const { payment, ...order } = await shop.cardOrderBody();
    const { amount, credit_card } = payment;
    const debit = { amount, payment_method: 'debit_card', debit_card: credit_card };
    const { id } = (await shop.placed({ ...order, payment: debit })).payment;
    assert.equal(await checked(shop), 'paid');
    await shop.refund(id);
    assert.equal(await checked(shop), 'refunded');
  });

  it('a wallet', async () => {
    const shop = await Shop.open(service);
    await verifiedDomain(shop, domainOf(shop));
    const block = { capture_delay_hours: 24 };
    const body = await walletOrderBody(shop, { domain: domainOf(shop) }, block);
    const { id } = (await shop.placed(body)).payment;
    assert.equal(await checked(shop), 'pre_authorized');
    await advance(shop, { days: 2 });
    assert.equal(await checked(shop), 'paid');
    await shop.simulate(id, 'chargeback_requested');
    assert.equal(await checked(shop), 'chargeback_requested');
  });

  it('a subscription by wallet', async () => {
    const shop = await Shop.open(service);
    await verifiedDomain(shop, domainOf(shop));
    await subscribedByWallet(shop);
    assert.equal(await checked(shop), 'paid, active');
    await advance(shop, { days: 32 });
    assert.equal(await checked(shop), 'paid, active');
  });

  it('Pix recurring', async () => {
    const shop = await Shop.open(service);
    const { id } = await requested(shop, { interval: 'weekly' });
    assert.equal(await checked(shop), 'waiting_payment, payment_pending');
    await authorize(shop, id);
    assert.equal(await checked(shop), 'paid, payment_approved');
    await advance(shop, { days: 8 });
    assert.equal(await checked(shop), 'paid, payment_approved');
    const { id: latest } = (await shop.get('/payments?per_page=1')).data[0];
    await shop.refund(latest);
    assert.equal(await checked(shop), 'refunded, ended');
  });

  it('a mandate without a first charge', async () => {
    const shop = await Shop.open(service);
    const { id } = await requested(shop, { trial_days: 7 });
    await authorize(shop, id);
    assert.equal(await checked(shop), 'AUTHORIZED, trial_started');
  });
});
