/** Several moves of a payment are one write, and what each event shows is what the payment was then. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { shopOfFile } from '../support/of-file.ts';
import { type Shop, statusesOf } from '../support/shop.ts';

const { shop } = await shopOfFile();
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

describe('the last event shows the payment as it is read', () => {
  for (const [name, flow] of Object.entries(FLOWS)) {
    test(name, async () => {
      const id = await flow(shop);
      const events = await shop.events(id);
      assert.deepEqual(events.at(-1)!.data, await shop.payment(id));
    });
  }
});

test('each event of an automatic capture shows the payment after its own move', async () => {
  const { id } = await shop.cardPayment();
  const events = await shop.events(id);
  const shown = events.map(({ event, data }) => [event, data.status, data.captured_amount, statusesOf(data)]);
  assert.deepEqual(shown, [
    ['payment.created', 'processing', 0, ['processing']],
    ['payment.authorized', 'AUTHORIZED', 0, ['processing', 'AUTHORIZED']],
    ['payment.updated', 'paid', 10_000, ['processing', 'AUTHORIZED', 'paid']],
  ]);
});
