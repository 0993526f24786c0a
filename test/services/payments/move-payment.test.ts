/** Several moves of a payment are one write, and what each event shows is what the payment was then. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { returnResult } from '../../../services/deps.ts';
import { refundPayment } from '../../../services/payments/refund-payment.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { type Shop, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const METADATA = { order: { metadata: { z: '1', channel: 'web' } } };

/** Ends with a payment, by its id, whose last change emitted an event. */
const FLOWS: Readonly<Record<string, (shop: Shop) => Promise<string>>> = {
  'a card that is captured at once': async () => (await shop.cardPayment(METADATA)).id,
  'a card that is authorized': async () => (await shop.authorized()).id,
  'a capture of a part': async () => {
    const { id } = await shop.authorized();
    await shop.capture(id, 4_000);
    return id;
  },
  'a cancellation': async () => {
    const { id } = await shop.authorized();
    await shop.cancel(id);
    return id;
  },
  'a refused card': async () => (await shop.cardPayment({ number: '4000000000000002' })).id,
  'a suspected fraud': async () => {
    const { id } = await shop.authorized();
    await shop.simulate(id, 'fraud');
    return id;
  },
  'a refund of a part': async () => {
    const { id } = await shop.cardPayment();
    await shop.refund(id, 1_000);
    return id;
  },
  'a chargeback that is won': async () => {
    const { id } = await shop.cardPayment();
    await shop.simulate(id, 'chargeback_requested');
    await shop.simulate(id, 'chargeback_won');
    return id;
  },
  'a Pix charge': async () => (await shop.pixPayment()).id,
  'a paid Pix': async () => {
    const { id } = await shop.pixPayment();
    await shop.simulate(id, 'paid');
    return id;
  },
  'a Pix that expired': async () => {
    const { id } = await shop.pixPayment();
    await shop.simulate(id, 'expired');
    return id;
  },
};

describe('the last event has the payment as it is read', () => {
  for (const [name, flow] of Object.entries(FLOWS)) {
    test(name, async () => {
      const id = await flow(shop);
      const events = await shop.events(id);
      assert.deepEqual(events.at(-1)!.data, await shop.payment(id));
    });
  }
});

test('each event of an automatic capture has the payment after its own transition', async () => {
  const { id } = await shop.cardPayment();
  const events = await shop.events(id);
  const shown = events.map(({ event, data }) => [event, data.status, data.captured_amount, statusesOf(data)]);
  assert.deepEqual(shown, [
    ['payment.created', 'processing', 0, ['processing']],
    ['payment.authorized', 'AUTHORIZED', 0, ['processing', 'AUTHORIZED']],
    ['payment.updated', 'paid', 10_000, ['processing', 'AUTHORIZED', 'paid']],
  ]);
});

test('a request that read the clock before it was advanced writes no event before those of another', async () => {
  const { id } = await shop.cardPayment();
  const { deps } = service;
  const unaware = (await findMerchant(deps.db, shop.onboarded.merchant))!;
  const { status, text } = await shop.post('/sandbox/clock/advance', { days: 1 });
  assert.equal(status, 200, text);
  await shop.refund(id, 1_000);
  const before = await shop.events(id);
  const refund = {
    id: uuidV7(deps.wall().getTime(), deps.random),
    isRerun: false,
    paymentIdentifier: id,
    amount_centavos: 500,
  };
  await refundPayment(deps, unaware, { ...refund, reason: null, metadata: {} }, returnResult);
  const payment = await shop.payment(id);
  assert.equal(payment.refunded_amount, 1_500);
  const events = await shop.events(id);
  assert.deepEqual(events.at(-1)!.data, payment);
  assert.ok(events[before.length]!.created_at > before.at(-1)!.created_at, 'ids of one time have no order');
  for (const times of [
    events.map((e) => e.created_at),
    payment.history.map((step: { at: string }) => step.at),
  ])
    assert.deepEqual(times, [...times].sort());
});
