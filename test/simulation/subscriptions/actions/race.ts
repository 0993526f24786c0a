import assert from 'node:assert/strict';
import type { TestAnswer } from '../../../support/service.ts';
import { fittingModel } from '../compare.ts';
import { cancel, changePlan, quote, reactivate } from '../model/merchant.ts';
import { endMandate } from '../model/payer.ts';
import { copyOf, isUnsettled, type ModelSubscription } from '../model/state.ts';
import type { Simulated, World } from '../world.ts';
import { type Action, preferably } from './action.ts';
import { randomOffer } from './create.ts';

/** An operation that charges nothing. */
interface Racer {
  readonly name: string;
  request(): Promise<TestAnswer>;
  /** Returns whether the operation is allowed. */
  apply(model: ModelSubscription): boolean;
}

/** Two operations at once have the result of one after the other, in either order. */
export const race: Action = {
  name: 'race',
  weight: 2,
  async run(world) {
    const subscription = preferably(world, ({ model }) => !['ended', 'completed'].includes(model.status));
    const isPossible = subscription !== undefined && world.isApproved && !isUnsettled(subscription.model);
    if (!isPossible || subscription.model.pendingUpgrade !== null) return null;
    const all = await racersOf(world, subscription);
    const racers = [world.random.pick(all), world.random.pick(all)];
    const orders = [
      [0, 1],
      [1, 0],
    ].map((order) => oneAfterAnother(subscription, racers, order));
    const answers = await Promise.all(racers.map((racer) => racer.request()));
    await world.settle();
    const what = racers.map(({ name }, i) => `${name}: ${answers[i]!.status}`).join(', ');
    const possible = orders.filter(({ allowed }) =>
      answers.every(({ status }, i) => (status === 200) === allowed[i]),
    );
    assert.ok(possible.length > 0, what);
    const models = possible.map(({ model }) => model);
    subscription.model = (await fittingModel(world, subscription, models)) ?? models[0]!;
    return `${subscription.id} ${what}`;
  },
};

function oneAfterAnother({ model }: Simulated, racers: readonly Racer[], order: readonly number[]) {
  const copy = copyOf(model);
  const allowed: boolean[] = [];
  for (const i of order) allowed[i] = racers[i]!.apply(copy);
  return { model: copy, allowed };
}

async function racersOf(world: World, { id }: Simulated): Promise<Racer[]> {
  const { shop, now } = world;
  const plan = await randomOffer(world, 'monthly');
  return [
    {
      name: 'cancel',
      request: () => shop.post('/subscriptions/cancel', { id }),
      apply: (model) => cancel(model, now),
    },
    {
      name: 'reactivate',
      request: () => shop.post(`/subscriptions/${id}/reactivate`),
      apply: (model) => reactivate(model, now),
    },
    {
      name: 'end the mandate',
      request: () => shop.post(`/sandbox/subscriptions/${id}/cancel-mandate`, {}),
      apply: (model) => endMandate(model, now),
    },
    {
      name: 'change the plan',
      request: () => shop.post(`/subscriptions/${id}/change-plan`, { offer_id: plan.offerId }),
      apply(model) {
        const figures = quote(model, plan, 'next_cycle', now);
        if (figures !== null) changePlan(model, plan, 'next_cycle', figures);
        return figures !== null;
      },
    },
  ];
}
