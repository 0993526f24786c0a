import assert from 'node:assert/strict';
import type { TestAnswer } from '../../../support/service.ts';
import { dropScripts } from '../cards.ts';
import { fittingModel } from '../compare.ts';
import { randomOffer } from '../drawn-plans.ts';
import { cancel, changePlan, loseMoneyOf, quote, reactivate, useMeans } from '../model/merchant.ts';
import { copyOf, isOverdue, isUnsettled, type ModelSubscription } from '../model/state.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, preferably } from './action.ts';
import { paidPayment } from './money.ts';

/** An operation that charges nothing. */
interface Racer {
  readonly name: string;
  /** Whether the model does not know the answer if the same operation runs twice. */
  readonly isOnce?: true;
  /** Whether it has no idempotency key, so it cannot be sent again after the process died. */
  readonly hasNoKey?: true;
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
    const one = world.random.pick(all);
    const other = world.random.pick(all.filter((racer) => racer !== one || !racer.isOnce));
    // The process must not die in these cases: the request could not be sent again, or its repetition would not know
    // which of two equal operations it was.
    if (one === other || one.hasNoKey || other.hasNoKey) world.acquirer.beginAction('none');
    const racers = [one, other];
    const orders = [
      [0, 1],
      [1, 0],
    ].map((order) => oneAfterAnother(subscription, racers, order));
    const answers = await Promise.all(racers.map((racer) => racer.request()));
    await world.settle();
    const what = racers.map(({ name }, i) => `${name}: ${answers[i]!.status}`).join(', ');
    const possible = orders.filter(({ allowed }) =>
      answers.every(({ status }, i) => status < 300 === allowed[i]),
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

async function racersOf(world: World, subscription: Simulated): Promise<Racer[]> {
  const { shop, now } = world;
  const { id } = subscription;
  const plan = await randomOffer(world, 'monthly');
  const paid = await paidPayment(world, subscription);
  await dropScripts(world, subscription);
  const others: Racer[] = [];
  if (paid?.cycle != null) {
    const { id: paymentId, cycle } = paid;
    const apply = (model: ModelSubscription) => refunded(model, cycle, now);
    others.push({ name: 'refund', isOnce: true, request: () => shop.refund(paymentId), apply });
  }
  // An overdue cycle is charged at once, and the other operation may then find the charge without an answer.
  if (!isOverdue(subscription.model)) {
    const body = { payment_method: 'bank_slip' };
    others.push({
      name: 'change to boleto',
      hasNoKey: true,
      request: () => shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }),
      apply: (model) => useMeans(model, { method: 'bank_slip' }, now, chargesNothing),
    });
  }
  return [
    ...others,
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

function refunded(model: ModelSubscription, cycle: number, now: number): true {
  loseMoneyOf(model, cycle, now);
  return true;
}

function chargesNothing(): never {
  throw new Error('A race charges no card.');
}
