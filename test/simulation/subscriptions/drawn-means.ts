import { dayOf, plusDays } from './calendar.ts';
import { storedCard, wallet } from './cards.ts';
import type { Interval, Plan } from './model/plan.ts';
import type { FirstDue, Means, Method, ModelMandate } from './model/state.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const QR_MS = 30 * MINUTE_MS;
const STATEMENT = 'Assinatura Clube nº 12345678901234';

interface DrawnMeans {
  readonly means: Means;
  /** Of the first charge, if the request says it. */
  readonly firstDue?: FirstDue | undefined;
  readonly fields: object;
}

/** How a new subscription is paid, with the fields of the request for it. */
export async function randomMeans(
  world: World,
  method: Method,
  customerId: string,
  prices: { readonly interval: Interval; readonly amounts: readonly number[] },
  isChargedNow: boolean,
): Promise<DrawnMeans> {
  if (method === 'credit_card') {
    const card = await storedCard(world, customerId);
    return { means: { method, card }, fields: { credit_card: { id: card.id } } };
  }
  if (method === 'browser_wallet') {
    const { card, token } = await wallet(world, isChargedNow);
    return { means: { method, card }, fields: { browser_wallet: { browser_wallet_token: token } } };
  }
  if (method === 'pix_recurring') {
    const { mandate, terms } = randomMandate(world, prices.interval, prices.amounts, null);
    return { means: { method, mandate }, fields: { pix_recurring: terms } };
  }
  const firstDue = isChargedNow && world.random.oneIn(2) ? randomFirstDue(world, method) : null;
  return { means: { method }, firstDue: firstDue?.due, fields: firstDue?.field ?? {} };
}

/** A due date of the first boleto, or a time at which the first Pix expires. */
function randomFirstDue({ random, now }: World, method: 'bank_slip' | 'pix') {
  const days = random.integer(0, random.pick([1, 5, 29]));
  if (method === 'bank_slip') {
    const on = plusDays(dayOf(now), days);
    return { due: { on, expiresAt: null }, field: { bank_slip: { due_at: on } } };
  }
  const expiresAt = now + days * DAY_MS + random.integer(10, 20 * 60) * MINUTE_MS;
  const field = { pix: { expires_at: new Date(expiresAt).toISOString() } };
  return { due: { on: dayOf(expiresAt), expiresAt }, field };
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
    ...(random.oneIn(3) && { recurring_statement: STATEMENT.slice(0, random.integer(1, 35)) }),
  };
  const mandate: ModelMandate = {
    ...{ state: 'created', qrExpiresAt: now + QR_MS, interval },
    ...{ fixed, minimum, mayRetry, plan },
  };
  return { mandate, terms };
}
