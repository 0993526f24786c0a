import { type Band, type Interval, MONTHS, type Plan } from './model/plan.ts';
import type { World } from './world.ts';

const MANDATE_INTERVALS: readonly Interval[] = ['weekly', 'monthly', 'monthly', 'yearly'];
export const INTERVALS_OF_OFFERS = (Object.keys(MONTHS) as Interval[]).filter((name) => MONTHS[name] > 0);

export interface Prices {
  readonly plan: Plan;
  /** The trial of the offer; 0 without one. */
  readonly offeredDays: number;
  /** Of the request, and of its payment. */
  readonly fields: object;
  readonly payment: object;
}

/** The prices of a new subscription: its own or an offer's, with what is sold in some of them. */
export async function randomPrices(world: World, isByMandate: boolean): Promise<Prices> {
  const { random } = world;
  if (random.oneIn(2)) {
    const interval = random.pick(isByMandate ? MANDATE_INTERVALS : world.theme.intervals);
    const amount = random.integer(1, 9) * 1_000;
    const bands = [{ start: 1, end: null, amount }];
    return {
      plan: { offerId: null, interval, bands, special: null },
      offeredDays: 0,
      fields: { interval, ...randomItems(world, amount) },
      payment: { amount },
    };
  }
  const { plan, offeredDays } = await newOffer(world, random.pick(world.theme.intervals));
  // The prices of an offer are its own, whatever the items cost.
  const fields = { offer_id: plan.offerId, ...randomItems(world, random.integer(1, 9) * 100) };
  return { plan, offeredDays, fields, payment: {} };
}

/** In one of three requests: two items that cost an amount together. */
function randomItems({ random }: World, total: number) {
  if (!random.oneIn(3)) return {};
  const single = random.integer(0, total / 2);
  return {
    items: [
      { name: 'Assinatura', quantity: 1, amount: total - 2 * single },
      { name: 'Acesso extra', quantity: 2, amount: single },
    ],
  };
}

/** The plan of a new offer with one to four prices, for some cycles or for all. */
export async function randomOffer(world: World, interval: Interval): Promise<Plan> {
  return (await newOffer(world, interval)).plan;
}

/** Some offers have a trial. Only new subscriptions have it. */
async function newOffer(world: World, interval: Interval): Promise<Pick<Prices, 'plan' | 'offeredDays'>> {
  const { random, theme } = world;
  const amount = random.integer(1, 9) * 1_000;
  const bands = random.oneIn(3) ? [{ start: 1, end: null, amount }] : randomBands(world, amount);
  const offeredDays = random.oneIn(theme.waitsOneIn) ? random.integer(1, 40) : 0;
  const offerId = await world.offer({
    interval,
    cycles: bands,
    ...(offeredDays > 0 && { trial_days: offeredDays }),
  });
  return { plan: { offerId, interval, bands, special: null }, offeredDays };
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
