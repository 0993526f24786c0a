/** Every event has a cause that a merchant can bring about, and reaches an endpoint that chose this event alone. */
import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { advance } from '../../support/clock-calls.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { authorized, endMandate } from '../../support/subscriptions/pix-recurring-calls.ts';
import {
  NO_FUNDS,
  newOffer,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import { Receiver, verified } from '../../support/webhooks/receiver.ts';

const service = await sharedService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const { components } = loadContract().document as unknown as {
  components: { schemas: { EventName: { enum: string[] } } };
};
const EVENTS = components.schemas.EventName.enum;
const MAX_ENDPOINTS = 20;

/** Test cards of the sandbox. */
const FRAUD = '4100000000000019';
const CAPTURE_FAILS = '4000000000001174';
const CANCEL_FAILS = '4000000000001208';
const REFUNDED_LATE = '4000000000007726';

async function simulate(paymentId: string, outcome: string): Promise<void> {
  const { status, text } = await shop.post(`/sandbox/payments/${paymentId}/simulate`, { outcome });
  assert.equal(status, 200, text);
}

/** Uses of payments that cause all their events between them. */
async function usePayments(): Promise<void> {
  await shop.cardPayment({ number: FRAUD });
  await shop.capture((await shop.authorized(CAPTURE_FAILS)).id);
  await shop.cancel((await shop.authorized(CANCEL_FAILS)).id);
  await shop.cancel((await shop.authorized()).id);
  await shop.capture((await shop.authorized()).id);
  await shop.refund((await shop.cardPayment()).id);
  const denied = await shop.cardPayment({ number: REFUNDED_LATE });
  await shop.refund(denied.id);
  await simulate(denied.id, 'refund_denied');
  await simulate((await shop.pixPayment()).id, 'expired');
  const { id } = await shop.cardPayment();
  await simulate(id, 'chargeback_requested');
  await simulate(id, 'chargeback_dispute');
}

/** Subscriptions that have all events between them. */
async function useSubscriptions(): Promise<void> {
  const { id } = await subscribed(shop);
  const plan = await newOffer(shop);
  assert.equal((await shop.post(`/subscriptions/${id}/change-plan`, { offer_id: plan })).status, 200);
  const canceled = await shop.post('/subscriptions/cancel', { id });
  assert.equal(canceled.status, 200, canceled.text);
  await subscribed(shop, { trial_days: 1 }, NO_FUNDS);
  const offer_id = await newOffer(shop, { cycles: [{ start: 1, end: 1, amount: 2_990 }] });
  const body = await subscriptionBody(shop, { offer_id, interval: undefined });
  await created(subscribe(shop, { ...body, payment: { ...body.payment, amount: undefined } }));
  await advance(shop, { days: 40 });
  await endMandate(shop, (await authorized(shop)).id);
}

const USES = [
  ['payment', usePayments],
  ['subscription', useSubscriptions],
] as const;

it('every event is of a payment or of a subscription', () => {
  const others = EVENTS.filter((event) => !USES.some(([type]) => event.startsWith(`${type}.`)));
  assert.deepEqual(others, []);
});

for (const [type, use] of USES) {
  it(`every event of a ${type} reaches the endpoint that chose it, signed, as GET /events/{id} answers`, async () => {
    const names = EVENTS.filter((event) => event.startsWith(`${type}.`));
    assert.ok(names.length <= MAX_ENDPOINTS, 'each event has an endpoint of its own');
    await using receiver = await Receiver.start();
    const secrets = new Map<string, string>();
    for (const event of names) {
      const body = { url: `${receiver.url}/${event}`, events: [event] };
      secrets.set(event, (await created(shop.post('/webhook-endpoints', body))).secret);
    }
    await use();
    await fanOutEvents(service.deps);
    await new DeliveryLoop(service.deps).runToEnd();

    for (const arrival of receiver.arrivals) {
      const event = arrival.path.replace('/hook/', '');
      const delivered = verified(secrets.get(event)!, arrival);
      assert.equal(delivered.event, event);
      assert.deepEqual(delivered, await shop.get(`/events/${delivered.id}`));
    }
    const all: Json[] = (await shop.get('/events?per_page=100')).data;
    assert.deepEqual(
      receiver.arrivals.map(({ body }) => body.id).toSorted(),
      all
        .filter(({ event }) => names.includes(event))
        .map(({ id }) => id)
        .toSorted(),
    );
    const reached = new Set(receiver.events);
    assert.deepEqual(
      names.filter((event) => !reached.has(event)),
      [],
      'events that nothing caused',
    );
  });
}
