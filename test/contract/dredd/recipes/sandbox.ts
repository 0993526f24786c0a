import { randomUUID } from 'node:crypto';
import { until } from '../../../support/until.ts';
import { holdUp } from '../held-request.ts';
import type { Recipe, RecipesOf, Scene } from '../recipe.ts';
import {
  bodied,
  guarded,
  inFlight,
  keyReused,
  ofNothing,
  pageTooLong,
  unknownParameter,
} from '../refusals.ts';
import type { Shop } from '../shop.ts';

const waitingPix: Recipe = async ({ shop }) => {
  const { payment } = await shop.order({ method: 'pix', amount: 4_990 });
  return { path: { identifier: payment.id } };
};

const expiringCard: Recipe = async ({ shop }) => {
  const { payment } = await shop.order();
  return { path: { identifier: payment.id }, body: { outcome: 'expired' } };
};

const script: Recipe = async ({ shop, example }) => {
  const { id } = await shop.card((await shop.customer()).id);
  return { body: { ...example.body, card_id: id } };
};

const emptyScript: Recipe = async (scene) => {
  const { body } = await script(scene);
  return { body: { ...(body as object), outcomes: [] } };
};

/** A script of which the first outcome was used. */
async function begun({ shop }: Scene) {
  const customer = { id: (await shop.customer()).id };
  const { id: card_id } = await shop.card(customer.id);
  const outcomes = ['insufficient_funds', 'time_out', 'approve'].map((outcome) => ({
    operation: 'authorize',
    outcome,
  }));
  const stored = await shop.call('POST', '/sandbox/scripts', { body: { card_id, outcomes } });
  const payment = { amount: 4_990, payment_method: 'credit_card', credit_card: { id: card_id } };
  const order = { code: randomUUID(), mcc: '5734', customer, payment };
  await shop.call('POST', '/charges/orders', { body: order });
  return stored;
}

const scripts: Recipe = async (scene) => {
  await begun(scene);
  return { query: { per_page: '20' } };
};

const oneScript: Recipe = async (scene) => ({ path: { id: (await begun(scene)).id } });

const clock: Recipe = async () => ({});

/** With a Pix that expires on the way. */
const advance: Recipe = async (scene) => {
  await waitingPix(scene);
  return {};
};

/** What an advance needs once it has begun, and nothing that tells of the clock does. */
const ON_THE_WAY = 'payment_operations';
/** Longer than a request works on an advance. */
const A_LONG_WAY_MS = 25_000;

/** The advance is held up until the time for which its request waits has passed. */
const longAdvance: Recipe = async ({ stage }) => {
  const shop = await stage.shopOf('a long advance');
  const release = await stage.lock(ON_THE_WAY);
  const passing = until('the clock is on its way', () => isAdvancing(shop))
    .then(() => stage.letPass(A_LONG_WAY_MS))
    .finally(release);
  passing.catch(() => {}); // told by `after`
  return { key: shop.apiKey, after: () => passing };
};

const whileAdvancing: Recipe = async ({ stage, shop }) => {
  const advanceOneDay = () => shop.try('POST', '/sandbox/clock/advance', { body: { days: 1 } });
  const held = { operationId: 'advanceClock', send: advanceOneDay, hasBegun: () => isAdvancing(shop) };
  return { after: await holdUp(stage, ON_THE_WAY, held) };
};

async function isAdvancing(shop: Shop): Promise<boolean> {
  return (await shop.call('GET', '/sandbox/clock')).status === 'advancing';
}

const backwards: Recipe = async () => ({ body: { to: '2020-01-01T00:00:00Z' } });

const reset: Recipe = async ({ shop }) => {
  await shop.order();
  return {};
};

export const sandbox: RecipesOf<
  | 'simulatePayment'
  | 'createScript'
  | 'listScripts'
  | 'deleteScript'
  | 'getClock'
  | 'advanceClock'
  | 'resetSandbox'
> = {
  simulatePayment: {
    200: waitingPix,
    404: ofNothing('identifier')(waitingPix),
    409: inFlight(waitingPix, 'payments'),
    422: expiringCard,
    ...bodied(waitingPix),
    ...guarded(waitingPix),
  },
  createScript: {
    201: script,
    409: inFlight(script, 'cards'),
    422: emptyScript,
    ...bodied(script),
    ...guarded(script),
  },
  listScripts: { 200: scripts, 422: pageTooLong(scripts), ...guarded(scripts) },
  deleteScript: {
    204: oneScript,
    404: ofNothing('id')(oneScript),
    422: unknownParameter(oneScript),
    ...guarded(oneScript),
  },
  getClock: { 200: clock, 422: unknownParameter(clock), ...guarded(clock) },
  advanceClock: {
    200: advance,
    202: longAdvance,
    409: whileAdvancing,
    422: backwards,
    ...bodied(advance),
    ...guarded(advance),
  },
  resetSandbox: {
    200: reset,
    409: whileAdvancing,
    422: keyReused(reset),
    ...guarded(reset),
  },
};
