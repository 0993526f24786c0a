/**
 * The QR code of a mandate without a first charge arrives after the payment of 0 was created, and its status stays
 * `scheduled`. `payment.updated` brings it to the merchant, once, however the acquirer's answer arrived.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { RECOVERY_POINTS } from '../../../services/recovery-points.ts';
import { advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { parseBrCode } from '../../support/payments/parse-br-code.ts';
import { startCrashing } from '../../support/processes/crashing-service.ts';
import type { Json } from '../../support/service.ts';
import type { Shop } from '../../support/shop.ts';
import {
  authorize,
  changedToPix,
  pixBody,
  requested,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver, verified } from '../../support/webhooks/receiver.ts';

const { service, open, deliver } = await startDeliveringService();
beforeEach(() => service.setAhead(0));
const EVENTS = [
  ...['payment.created', 'payment.updated', 'payment.authorized'],
  ...['payment.refused', 'payment.expired'],
];
const openShop = () => open({ events: EVENTS });
const { intentCommitted, acquirerAnswered, outcomeCommitted } = RECOVERY_POINTS;
/** Longer than the run that died may hold its Idempotency-Key. */
const LEASE_OVER_MS = 40_000;
const TRIAL = { trial_days: 7 };

type Opened = Awaited<ReturnType<typeof openShop>>;

/** The bodies that arrived for a payment, oldest first. All are signed. */
function arrivedOf({ receiver, endpoint }: Opened, paymentId: string): Json[] {
  const bodies = receiver.arrivals.map((arrival) => verified(endpoint.secret, arrival));
  return bodies.filter(({ object_id }) => object_id === paymentId).toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const namesOf = (bodies: readonly Json[]) => bodies.map(({ event }) => event);

/** Checks that the second event has the QR code, as the payment has it, and the first one not yet. */
async function assertCodeArrived(opened: Opened, paymentId: string, at = 'scheduled'): Promise<void> {
  const [created, updated] = arrivedOf(opened, paymentId);
  assert.deepEqual([created?.event, updated?.event], ['payment.created', 'payment.updated']);
  assert.equal(created!.data.pix_recurring.qr_code, null);
  const { status, amount, pix_recurring: shown } = updated!.data;
  assert.deepEqual([status, amount], [at, 0]);
  assert.match(parseBrCode(shown.qr_code)!.get('80.25') ?? '', /rec/);
  assert.match(shown.qr_code_image, /^data:image\/png;base64,/);
  assert.ok(shown.expires_at > created!.data.created_at);
  const { pix_recurring: read } = await opened.shop.payment(paymentId);
  assert.deepEqual(shown, { ...read, charge_code: null });
}

async function paymentOf(shop: Shop): Promise<string> {
  return (await shop.get('/payments?per_page=1')).data[0].id;
}

describe('payment.updated with the QR code of a mandate', () => {
  it('reaches the endpoint and the notification URL of a subscription with a trial', async () => {
    const opened = await openShop();
    await using notified = await Receiver.start();
    const { payment } = await requested(opened.shop, { ...TRIAL, notification_url: notified.url });
    await deliver();
    await assertCodeArrived(opened, payment.id);
    const ofPayment = notified.arrivals
      .map(({ body }) => body)
      .filter(({ object_id }) => object_id === payment.id);
    assert.equal(ofPayment[1]!.data.pix_recurring.qr_code, payment.pix_recurring.qr_code);
  });

  it('is sent for a change of the payment method too', async () => {
    const opened = await openShop();
    const { id } = await subscribed(opened.shop);
    const { payment } = await changedToPix(opened.shop, id);
    await deliver();
    await assertCodeArrived(opened, payment.id);
  });

  it('is sent once if the answer is lost and an inquiry finds the code', async () => {
    const opened = await openShop();
    const { payment } = await withLostAnswers(service, () => requested(opened.shop, TRIAL));
    await deliver();
    assert.deepEqual(namesOf(arrivedOf(opened, payment.id)), ['payment.created'], 'there is no code yet');
    await reconcile(service);
    await reconcile(service);
    await deliver();
    assert.equal(arrivedOf(opened, payment.id).length, 2);
    await assertCodeArrived(opened, payment.id);
  });

  for (const [point, names] of [
    [intentCommitted, ['payment.created', 'payment.refused']],
    [acquirerAnswered, ['payment.created', 'payment.updated']],
    [outcomeCommitted, ['payment.created', 'payment.updated']],
  ] as const) {
    it(`is ${names[1] === 'payment.updated' ? 'sent once' : 'not sent'} after SIGKILL at ${point} and the request again`, async () => {
      const opened = await openShop();
      const { shop } = opened;
      const body = await pixBody(shop, TRIAL);
      const crashing = await startCrashing(service, point);
      await crashing.crash({ key: shop.onboarded.apiKey, path: '/subscriptions', body });
      await reconcile(service, LEASE_OVER_MS);
      const again = await shop.post('/subscriptions', body, 'k');
      assert.equal(again.status, 201, again.text);
      service.setAhead(0);
      await deliver();
      const id = await paymentOf(shop);
      assert.equal(again.body.payment.id, id);
      assert.deepEqual(namesOf(arrivedOf(opened, id)), names);
      if (point !== intentCommitted) await assertCodeArrived(opened, id);
    });
  }

  it('comes before payment.authorized, which has the code of the mandate too', async () => {
    const opened = await openShop();
    const { id, payment } = await requested(opened.shop, TRIAL);
    await authorize(opened.shop, id);
    await deliver();
    await assertCodeArrived(opened, payment.id);
    const arrived = arrivedOf(opened, payment.id);
    assert.deepEqual(namesOf(arrived), ['payment.created', 'payment.updated', 'payment.authorized']);
    assert.match(arrived[2]!.data.pix_recurring.charge_code, /^R[RN]/);
  });

  it('is sent for a code that comes too late to be used too, because the payment shows it', async () => {
    const opened = await openShop();
    const early = await withLostAnswers(service, () => requested(opened.shop, TRIAL));
    await authorize(opened.shop, early.id);
    const ended = await withLostAnswers(service, () => requested(opened.shop, TRIAL));
    await advanceBy(opened.shop, 31 * MINUTE_MS);
    await reconcile(service);
    await deliver();
    const arrived = arrivedOf(opened, early.payment.id);
    assert.deepEqual(namesOf(arrived), ['payment.created', 'payment.authorized', 'payment.updated']);
    assert.deepEqual(arrived.at(-1)!.data, await opened.shop.payment(early.payment.id));
    const names = namesOf(arrivedOf(opened, ended.payment.id));
    assert.equal(names.at(-1), 'payment.expired');
  });
});
