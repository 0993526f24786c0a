import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { newOffer } from '../../../support/subscription-calls.ts';
import { dayOf, plusDays } from '../calendar.ts';
import { storedCard } from '../cards.ts';
import { isKill, sendWith } from '../faults.ts';
import { ModelSubscription, type Terms } from '../model.ts';
import type { World } from '../world.ts';
import { type Action, randomFault } from './action.ts';

const MAX_SUBSCRIPTIONS = 3;
const INTERVALS = { monthly: 1, quarterly: 3, 'half-yearly': 6, yearly: 12 } as const;

interface Band {
  readonly start: number;
  readonly end: number | null;
  readonly amount: number;
}

/** The prices of a new subscription: the fields of its request, and the same as a function of the cycle. */
interface Prices {
  readonly fields: object;
  readonly amount: number | undefined;
  readonly bands: readonly Band[];
}

export const create: Action = {
  name: 'create',
  weight: 4,
  async run(world) {
    const { random, shop } = world;
    if (!world.isApproved || world.subscriptions.length === MAX_SUBSCRIPTIONS) return null;
    const interval = random.pick(Object.keys(INTERVALS) as (keyof typeof INTERVALS)[]);
    const prices = await randomPrices(world, interval);
    const dates = randomDates(world);
    const nextAmount = random.oneIn(4) ? random.integer(0, 2) * 700 : undefined;
    const fault = randomFault(world);
    const customerId = await shop.customer();
    const card = await storedCard(world, customerId);
    const body = {
      code: randomUUID(),
      mcc: '5734',
      ...prices.fields,
      ...dates.fields,
      ...(nextAmount !== undefined && { next_charge_amount: nextAmount }),
      customer: { id: customerId },
      payment: {
        ...(prices.amount !== undefined && { amount: prices.amount }),
        payment_method: 'credit_card',
        credit_card: { id: card.id },
      },
    };
    const isChargedNow = dates.firstDay <= dayOf(world.now);
    const terms: Terms = {
      months: INTERVALS[interval],
      priceOf: pricesOf(prices.bands, nextAmount, isChargedNow ? 2 : 1),
      firstDay: dates.firstDay,
      anchor: dates.anchor,
      trialDays: dates.trialDays,
    };
    let hasCharged = false;
    const model = new ModelSubscription(terms, card, world.now, (asked) => {
      hasCharged = true;
      return sendWith(fault)(asked);
    });
    const { status, text } = await world.request(fault, 'POST', '/charges/subscriptions', body);
    assert.equal(status, hasCharged && isKill(fault) ? 500 : 201, text);
    const { id } = await shop.get(`/subscriptions/${body.code}`);
    world.subscriptions.push({ id, customerId, model });
    return `${interval} ${JSON.stringify({ ...dates.fields, bands: prices.bands, nextAmount })} ${fault}`;
  },
};

async function randomPrices(world: World, interval: string): Promise<Prices> {
  const { random } = world;
  const amount = random.integer(1, 9) * 1_000;
  if (random.oneIn(2)) {
    return { fields: { interval }, amount, bands: [{ start: 1, end: null, amount }] };
  }
  const first: Band = { start: 1, end: random.integer(1, 3), amount: random.integer(0, 3) * 990 };
  const end = random.oneIn(2) ? null : first.end! + random.integer(1, 3);
  const bands = random.oneIn(3) ? [first] : [first, { start: first.end! + 1, end, amount }];
  const offer_id = await newOffer(world.shop, { interval, cycles: bands });
  return { fields: { offer_id }, amount: undefined, bands };
}

function pricesOf(
  bands: readonly Band[],
  nextAmount: number | undefined,
  nextCycle: number,
): Terms['priceOf'] {
  return (cycle) => {
    const band = bands.find(({ start, end }) => start <= cycle && (end === null || cycle <= end));
    if (band === undefined) return null;
    return cycle === nextCycle ? (nextAmount ?? band.amount) : band.amount;
  };
}

function randomDates({ random, now }: World) {
  const today = dayOf(now);
  const startDay = random.oneIn(4) ? plusDays(today, random.integer(1, 40)) : undefined;
  const trialDays = random.oneIn(3) ? random.integer(1, 40) : 0;
  const bestDay = random.oneIn(3) ? random.pick([1, 5, 15, 28, 29, 30, 31]) : undefined;
  const firstDay = plusDays(startDay ?? today, trialDays);
  return {
    firstDay,
    trialDays,
    anchor: bestDay ?? Number(firstDay.slice(8)),
    fields: {
      trial_days: trialDays,
      ...(startDay !== undefined && { start_at: startDay }),
      ...(bestDay !== undefined && { best_charge_day: bestDay }),
    },
  };
}
