import type { SeededRandom } from '../../../support/seeded-random.ts';
import { dayOf, plusDays } from '../calendar.ts';
import { isIssued } from '../model/methods.ts';
import type { Band, Interval, Plan } from '../model/plan.ts';
import type { Decision, Means, Method, ModelCard, ModelMandate } from '../model/state.ts';

const METHODS: readonly Method[] = [
  ...(['credit_card', 'credit_card', 'browser_wallet', 'bank_slip', 'pix'] as const),
  ...(['pix_recurring', 'pix_recurring'] as const),
];
const INTERVALS: readonly Interval[] = [
  'monthly',
  'monthly',
  'monthly',
  'quarterly',
  'half-yearly',
  'yearly',
];
const DECISIONS: readonly Decision[] = ['approve', 'approve', 'approve', 'soft', 'soft', 'hard'];
const MAX_DECISIONS = 200;
export const QR_MS = 30 * 60_000;

/** What a subscription is created with. */
export interface Drawn {
  readonly method: Method;
  readonly plan: Plan;
  readonly startDay: string;
  readonly trialDays: number;
  readonly bestDay: number | null;
  readonly nextAmount: number | null;
  /** Of the first charge, if it is made now; null: as the method says. */
  readonly firstDueOn: string | null;
  readonly mandate: ModelMandate | null;
  /** How banks decide about its charges. */
  readonly decisions: readonly Decision[];
}

export function drawSubscription(random: SeededRandom, now: number): Drawn {
  const method = random.pick(METHODS);
  const isByMandate = method === 'pix_recurring';
  const interval = isByMandate && random.oneIn(4) ? 'weekly' : random.pick(INTERVALS);
  const plan = drawPlan(random, interval);
  const today = dayOf(now);
  const startDay = random.oneIn(5) ? plusDays(today, random.integer(1, 40)) : today;
  const trialDays = random.oneIn(4) ? random.integer(1, 40) : 0;
  const nextAmount = random.oneIn(4) ? random.integer(0, 2) * 700 : null;
  const prices = [...pricesOf(plan), ...(nextAmount === null ? [] : [nextAmount])];
  const isIssuedNow = isIssued(method) && startDay === today && trialDays === 0;
  return {
    ...{ method, plan, startDay, trialDays, nextAmount },
    bestDay: random.oneIn(3) ? random.pick([1, 5, 15, 28, 29, 30, 31]) : null,
    firstDueOn: isIssuedNow && random.oneIn(2) ? plusDays(today, random.integer(0, 40)) : null,
    mandate: isByMandate ? drawMandate(random, now, interval, prices, null) : null,
    decisions: Array.from({ length: MAX_DECISIONS }, () => random.pick(DECISIONS)),
  };
}

/** A plan with one or two prices, for some cycles or for all. */
function drawPlan(random: SeededRandom, interval: Interval): Plan {
  const amount = random.integer(1, 9) * 1_000;
  const bands = random.oneIn(2) ? [{ start: 1, end: null, amount }] : drawBands(random, amount);
  return { offerId: `offer-${random.integer(0, 1e9)}`, interval, bands, special: null };
}

function pricesOf({ bands }: Plan): number[] {
  return bands.map(({ amount }) => amount);
}

/** Another plan, mostly of the same interval. */
export function drawOtherPlan(random: SeededRandom, { interval }: Plan): Plan {
  const isOther = random.oneIn(3) || (interval === 'weekly' && random.oneIn(2));
  return drawPlan(random, isOther ? random.pick(INTERVALS) : interval);
}

function drawBands(random: SeededRandom, amount: number): Band[] {
  const first = { start: 1, end: random.integer(1, 4), amount: random.integer(0, 3) * 990 };
  const end = random.oneIn(2) ? null : first.end + random.integer(1, 3);
  return random.oneIn(4) ? [first] : [first, { start: first.end + 1, end, amount }];
}

/** A mandate for charges of these amounts. `plan`: what begins with it. */
export function drawMandate(
  random: SeededRandom,
  now: number,
  interval: Interval,
  amounts: readonly number[],
  plan: Plan | null,
): ModelMandate {
  const lowest = Math.min(...amounts);
  const fixed = random.oneIn(4) && lowest > 0 && lowest === Math.max(...amounts) ? lowest : null;
  const minimum = random.oneIn(4) && lowest > 0 && fixed === null ? random.integer(1, lowest) : null;
  const mayRetry = !random.oneIn(3);
  return { state: 'created', qrExpiresAt: now + QR_MS, interval, fixed, minimum, mayRetry, plan };
}

/** Means of payment of the model, whose banks decide as the list says. */
export function meansOf(
  method: Exclude<Method, 'pix_recurring'>,
  scripted: Decision[],
  isToken = false,
): Means {
  if (method !== 'credit_card' && method !== 'browser_wallet') return { method };
  const isNew = isToken && method === 'browser_wallet';
  const card: ModelCard = { id: null, scripted, usual: 'approve', isNotified: false, isToken: isNew };
  return { method, card };
}
