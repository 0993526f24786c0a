import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { PAYER } from '../../../support/subscriptions/issued-charges.ts';
import { dayOf, plusDays } from '../calendar.ts';
import { storedCard, wallet } from '../cards.ts';
import { DIED, type Fault, isKill, sendWith } from '../faults.ts';
import { newSubscription, type Terms } from '../model/create.ts';
import type { Band, Interval, Plan } from '../model/plan.ts';
import { isFinished, type Means, type Method, type ModelMandate } from '../model/state.ts';
import { randomSplit } from '../recipients.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, randomFault } from './action.ts';

const MAX_LIVE = 5;
const MAX_SUBSCRIPTIONS = 10;
const MANDATE_INTERVALS: readonly Interval[] = ['weekly', 'monthly', 'monthly', 'yearly'];
export const QR_MS = 30 * 60_000;

export const create: Action = {
  name: 'create',
  weight: 4,
  async run(world) {
    const { random, shop } = world;
    const live = world.subscriptions.filter((one) => !isFinished(one.model)).length;
    const isFull = live === MAX_LIVE || world.subscriptions.length === MAX_SUBSCRIPTIONS;
    if (!world.isApproved || isFull) return null;
    const method = random.pick(world.theme.methods);
    const isByMandate = method === 'pix_recurring';
    const prices = await randomPrices(world, isByMandate);
    const dates = randomDates(world, isByMandate);
    const nextAmount = random.oneIn(4) && !isByMandate ? random.integer(0, 2) * 700 : null;
    const fault = randomFault(world);
    const isChargedNow = dates.firstDay <= dayOf(world.now);
    const { documents, addresses } = PAYER;
    const customerId = await shop.customer({ documents, addresses });
    const { means, fields } = await randomMeans(world, method, customerId, prices.plan, isChargedNow);
    const { split, field } = await randomSplit(world, prices.plan);
    const installments = method === 'credit_card' && random.oneIn(3) ? random.integer(2, 12) : 1;
    const { interval } = prices.plan;
    const isOwnPath = isByMandate && !('best_charge_day' in dates.fields) && random.oneIn(2);
    const path = isOwnPath ? '/subscriptions' : '/charges/subscriptions';
    const body = {
      code: randomUUID(),
      mcc: '5734',
      ...(isOwnPath && { interval }),
      ...prices.fields,
      ...dates.fields,
      ...(nextAmount !== null && { next_charge_amount: nextAmount }),
      customer: { id: customerId },
      payment: {
        ...{ ...prices.payment, payment_method: method, ...fields, ...field },
        ...(installments > 1 && { installments }),
      },
    };
    const special = nextAmount === null ? null : { cycle: isChargedNow ? 2 : 1, amount: nextAmount };
    const terms = { ...dates, plan: { ...prices.plan, special }, means };
    const { model } = await subscribe(world, { path, body, customerId }, terms, fault);
    Object.assign(model, { split, installments });
    const drawn = { ...dates.fields, ...prices.plan, nextAmount, ...fields, ...field, installments, fault };
    return JSON.stringify({ method, path, ...drawn });
  },
};

interface SubscriptionRequest {
  readonly path: string;
  readonly body: { readonly code: string };
  readonly customerId: string;
}

async function subscribe(
  world: World,
  { path, body, customerId }: SubscriptionRequest,
  terms: Terms,
  fault: Fault,
): Promise<Simulated> {
  let hasCharged = false;
  const model = newSubscription(terms, world.now, (asked) => {
    hasCharged = true;
    return sendWith(fault)(asked);
  });
  const { status, text } = await world.request(fault, 'POST', path, body);
  assert.equal(status, hasCharged && isKill(fault) ? DIED : 201, text);
  const { id, offer_id } = await world.shop.get(`/subscriptions/${body.code}`);
  assert.equal(offer_id, model.plan.offerId);
  const subscription = {
    id,
    code: body.code,
    customerId,
    model,
    scriptIds: [],
    compared: null,
    preview: null,
  };
  world.subscriptions.push(subscription);
  return subscription;
}

interface Prices {
  readonly plan: Plan;
  /** Of the request, and of its payment. */
  readonly fields: object;
  readonly payment: object;
}

async function randomPrices(world: World, isByMandate: boolean): Promise<Prices> {
  const { random } = world;
  if (random.oneIn(2)) {
    const interval = random.pick(isByMandate ? MANDATE_INTERVALS : world.theme.intervals);
    const amount = random.integer(1, 9) * 1_000;
    const bands = [{ start: 1, end: null, amount }];
    return {
      plan: { offerId: null, interval, bands, special: null },
      fields: { interval },
      payment: { amount },
    };
  }
  const plan = await randomOffer(world, random.pick(world.theme.intervals));
  return { plan, fields: { offer_id: plan.offerId }, payment: {} };
}

/** A new offer with one to four prices, for some cycles or for all. */
export async function randomOffer(world: World, interval: Interval): Promise<Plan> {
  const { random } = world;
  const amount = random.integer(1, 9) * 1_000;
  const bands = random.oneIn(3) ? [{ start: 1, end: null, amount }] : randomBands(world, amount);
  const offerId = await world.offer({ interval, cycles: bands });
  return { offerId, interval, bands, special: null };
}

/** One to four prices, the last one in half of them for ever. The first can be 0. */
function randomBands({ random }: World, last: number): readonly Band[] {
  const bands: Band[] = [{ start: 1, end: random.integer(1, 4), amount: random.integer(0, 3) * 990 }];
  const length = random.integer(1, 4);
  while (bands.length < length) {
    const start = bands.at(-1)!.end! + 1;
    const isLast = bands.length === length - 1;
    const end = isLast && random.oneIn(2) ? null : start + random.integer(0, 2);
    bands.push({ start, end, amount: isLast ? last : random.integer(1, 9) * 500 });
  }
  return bands;
}

function randomDates({ random, now, theme }: World, isByMandate: boolean) {
  const today = dayOf(now);
  const startDay =
    random.oneIn(theme.waitsOneIn + 1) && !isByMandate ? plusDays(today, random.integer(1, 40)) : undefined;
  const trialDays = random.oneIn(theme.waitsOneIn) ? random.integer(1, 40) : 0;
  const bestDay = random.oneIn(3) ? random.pick([1, 5, 15, 28, 29, 30, 31]) : undefined;
  const firstDay = plusDays(startDay ?? today, trialDays);
  return {
    firstDay,
    trialDays,
    anchor: bestDay ?? Number(firstDay.slice(8)),
    hasChosenDay: bestDay !== undefined,
    fields: {
      trial_days: trialDays,
      ...(startDay !== undefined && { start_at: startDay }),
      ...(bestDay !== undefined && { best_charge_day: bestDay }),
    },
  };
}

async function randomMeans(
  world: World,
  method: Method,
  customerId: string,
  plan: Plan,
  isChargedNow: boolean,
): Promise<{ readonly means: Means; readonly fields: object }> {
  if (method === 'credit_card') {
    const card = await storedCard(world, customerId);
    return { means: { method, card }, fields: { credit_card: { id: card.id } } };
  }
  if (method === 'browser_wallet') {
    const { card, token } = await wallet(world, isChargedNow);
    return { means: { method, card }, fields: { browser_wallet: { browser_wallet_token: token } } };
  }
  if (method !== 'pix_recurring') return { means: { method }, fields: {} };
  const prices = plan.bands.map(({ amount }) => amount);
  const { mandate, terms } = randomMandate(world, plan.interval, prices, null);
  return { means: { method, mandate }, fields: { pix_recurring: terms } };
}

/** A mandate for charges of these amounts, with the terms of its request. `plan`: what begins with it. */
export function randomMandate(
  { random, now }: World,
  interval: Interval,
  amounts: readonly number[],
  plan: Plan | null,
) {
  const lowest = Math.min(...amounts);
  const fixed = random.oneIn(3) && lowest > 0 && lowest === Math.max(...amounts) ? lowest : null;
  const minimum = random.oneIn(3) && lowest > 0 && fixed === null ? random.integer(1, lowest) : null;
  const mayRetry = !random.oneIn(3);
  const terms = {
    retry_policy: mayRetry,
    ...(fixed !== null && { recurring_amount: fixed }),
    ...(minimum !== null && { min_amount: minimum }),
  };
  const mandate: ModelMandate = {
    ...{ state: 'created', qrExpiresAt: now + QR_MS, interval },
    ...{ fixed, minimum, mayRetry, plan },
  };
  return { mandate, terms };
}
