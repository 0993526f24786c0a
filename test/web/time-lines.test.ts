/** Each time line of the guides is what a merchant sees who does the same at the same times. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MONTHLY_CARD, MONTHLY_PIX_RECURRING, type TimeLine } from '../../web/subscription-moments.ts';
import { advance } from '../support/clock-calls.ts';
import type { Json } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { created, Shop } from '../support/shop.ts';
import { authorize, requested, scriptCharges } from '../support/subscriptions/pix-recurring-calls.ts';
import { subscribe, subscriptionBody } from '../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });

/** The next year without 29 February. */
const YEAR = [1, 2]
  .map((ahead) => new Date().getUTCFullYear() + ahead)
  .find((year) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 2)!;

/** What the merchant, the payer or the test does at a moment, by its day and time. */
type Acts = Readonly<Record<string, () => Promise<unknown>>>;

/** Moves the clock to each moment, does what happens there, and expects what the time line shows. */
async function follow(shop: Shop, code: string, line: TimeLine, acts: Acts): Promise<void> {
  const events: string[] = [];
  for (const moment of line) {
    const { day, time } = moment;
    await advance(shop, { to: `${YEAR}-${day}T${time}:00-03:00` });
    await acts[`${day} ${time}`]?.();
    const { status, payment } = await shop.get(`/subscriptions/${code}`);
    const all = await subscriptionEvents(shop);
    const shown = { ...moment, status, payment: payment.status, events: all.slice(events.length) };
    assert.deepEqual(shown, moment);
    events.push(...shown.events);
  }
}

async function subscriptionEvents(shop: Shop): Promise<string[]> {
  const { data } = await shop.get('/events?per_page=100');
  return data
    .reverse()
    .filter(({ object_type }: Json) => object_type === 'subscription')
    .map(({ event }: Json) => event);
}

const CODE = 'time-line';

test('the time line of a monthly subscription by card', async () => {
  const shop = await Shop.open(service);
  const body = await subscriptionBody(shop, { code: CODE });
  const outcomes = ['approve', 'approve', 'insufficient_funds'];
  await created(
    shop.post('/sandbox/scripts', {
      card_id: body.payment.credit_card.id,
      outcomes: outcomes.map((outcome) => ({ operation: 'authorize', outcome })),
    }),
  );
  await follow(shop, CODE, MONTHLY_CARD, {
    '01-31 10:00': () => created(subscribe(shop, body)),
    '05-10 12:00': () => shop.post('/subscriptions/cancel', { code: CODE }),
  });
});

test('the time line of a monthly subscription by Pix recurring', async () => {
  const shop = await Shop.open(service);
  const customerId = await shop.customer();
  await follow(shop, CODE, MONTHLY_PIX_RECURRING, {
    '01-10 10:00': () => requested(shop, { code: CODE }, { customerId, terms: { retry_policy: true } }),
    '01-10 10:05': async () => {
      await authorize(shop, CODE);
      await scriptCharges(shop, customerId, 'approve', 'AM02');
    },
    '04-09 12:00': () => shop.post('/subscriptions/cancel', { code: CODE }),
  });
});
