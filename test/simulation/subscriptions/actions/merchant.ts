import assert from 'node:assert/strict';
import { newOffer } from '../../../support/subscription-calls.ts';
import { addScript, storedCard } from '../cards.ts';
import { isKill, sendWith } from '../faults.ts';
import { type Action, anySubscription, randomFault } from './action.ts';

export const cancel: Action = {
  name: 'cancel',
  weight: 3,
  async run(world) {
    const subscription = anySubscription(world);
    if (subscription === undefined) return null;
    const { id, model } = subscription;
    const request = () => world.shop.post('/subscriptions/cancel', { id });
    const isTwice = world.random.oneIn(4);
    const answers = await Promise.all(isTwice ? [request(), request()] : [request()]);
    const expected = [model.cancel(world.now) ? 200 : 422, ...(isTwice ? [422] : [])];
    assert.deepEqual(answers.map(({ status }) => status).sort(), expected);
    return id;
  },
};

export const reactivate: Action = {
  name: 'reactivate',
  weight: 3,
  async run(world) {
    const canceled = world.subscriptions.filter(({ model }) => model.status === 'canceled');
    const subscription = canceled.length > 0 ? world.random.pick(canceled) : anySubscription(world);
    if (subscription === undefined || !world.isApproved) return null;
    const { id, model } = subscription;
    const request = () => world.shop.post(`/subscriptions/${id}/reactivate`);
    const isTwice = world.random.oneIn(4);
    const answers = await Promise.all(isTwice ? [request(), request()] : [request()]);
    const expected = [model.reactivate(world.now) ? 200 : 422, ...(isTwice ? [422] : [])];
    assert.deepEqual(answers.map(({ status }) => status).sort(), expected);
    return id;
  },
};

export const changeCard: Action = {
  name: 'change the card',
  weight: 3,
  async run(world) {
    const subscription = anySubscription(world);
    if (subscription === undefined || !world.isApproved) return null;
    const { id, customerId, model } = subscription;
    const card = world.random.oneIn(4) ? model.card : await storedCard(world, customerId);
    const fault = randomFault(world);
    let hasCharged = false;
    const isAllowed = model.useCard(card, world.now, (asked) => {
      hasCharged = true;
      return sendWith(fault)(asked);
    });
    const body = { payment_method: 'credit_card', credit_card: { id: card.id } };
    const { status, text } = await world.request(fault, 'PUT', `/subscriptions/${id}/payment-method`, body);
    assert.equal(status, hasCharged && isKill(fault) ? 500 : isAllowed ? 200 : 422, text);
    return `${id} ${fault}`;
  },
};

/** The next charges of a card are decided by a script. */
export const script: Action = {
  name: 'script',
  weight: 3,
  async run(world) {
    const subscription = anySubscription(world);
    if (subscription === undefined) return null;
    const { card } = subscription.model;
    await addScript(world, card);
    return card.scripted.join(' ');
  },
};

/** A change of an offer does not change the subscriptions that were made from it. */
export const changeOffers: Action = {
  name: 'change the offers',
  weight: 2,
  async run(world) {
    const { shop } = world;
    const rows = await world.service.rows<{ id: string }>(
      "select id from offers where merchant_id = :account and state <> 'archived'",
      { account: world.account },
    );
    for (const { id } of rows) {
      const body = { cycles: [{ start: 1, end: null, amount: 100 * world.random.integer(1, 99) }] };
      const { status, text } = await shop.call('PUT', `/product-offers/${id}`, { body });
      assert.equal(status, 200, text);
    }
    await newOffer(shop);
    return String(rows.length);
  },
};

/** The merchant is suspended, or approved again. Charges wait meanwhile. */
export const suspend: Action = {
  name: 'suspend or approve',
  weight: 1,
  async run(world) {
    await world.setApproved(!world.isApproved);
    return String(world.isApproved);
  },
};
