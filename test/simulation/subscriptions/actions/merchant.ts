import assert from 'node:assert/strict';
import { dropScripts, storedCard, wallet } from '../cards.ts';
import { QR_MS, randomMandate } from '../drawn-means.ts';
import { randomOffer } from '../drawn-plans.ts';
import { DIED, isKill, sendWith } from '../faults.ts';
import { planAhead } from '../model/cycle.ts';
import { sentCharge } from '../model/kept-charge.ts';
import { pricesOfMandate, requestMandate } from '../model/mandate.ts';
import { cancel as cancelModel, reactivate as reactivateModel, useMeans } from '../model/merchant.ts';
import { isFinished, isOverdue, type Means } from '../model/state.ts';
import { changeRecipient } from '../recipients.ts';
import { keepRefused, type RefusedWithdrawal, refuseWithdrawal } from '../refused-withdrawals.ts';
import { decideAs, scriptPayer } from '../scripted-payers.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, anySubscription, preferably, randomFault } from './action.ts';
import { decide } from './payer.ts';

export const cancel: Action = {
  name: 'cancel',
  weight: 2,
  async run(world) {
    const isOpen = ({ model }: Simulated) => model.status !== 'canceled' && !isFinished(model);
    const isWanted = world.random.oneIn(2) ? ({ model }: Simulated) => isOverdue(model) : isOpen;
    const subscription = preferably(world, isWanted);
    if (subscription === undefined || (!isOpen(subscription) && !world.random.oneIn(8))) return null;
    return cancelOne(world, subscription, null);
  },
};

/** The acquirer does not cancel the charge and the mandate of a subscription that is canceled. */
export const cancelInVain: Action = {
  name: 'cancel in vain',
  weight: 12,
  async run(world) {
    const isSent = ({ model }: Simulated) => sentCharge(model) !== null && model.status !== 'canceled';
    const subscription = world.subscriptions.find(isSent);
    const refused = subscription && (await refuseWithdrawal(world, subscription));
    return refused == null ? null : cancelOne(world, subscription!, refused);
  },
};

async function cancelOne(
  world: World,
  subscription: Simulated,
  refused: RefusedWithdrawal | null,
): Promise<string> {
  const { id, code, model } = subscription;
  const reason = world.random.oneIn(2) ? 'Não usa mais' : undefined;
  const body = { ...(world.random.oneIn(2) ? { id } : { code }), ...(reason !== undefined && { reason }) };
  const request = () => world.shop.post('/subscriptions/cancel', body);
  const isTwice = world.random.oneIn(4);
  const answers = await Promise.all(isTwice ? [request(), request()] : [request()]);
  const expected = [cancelModel(model, world.now) ? 200 : 422, ...(isTwice ? [422] : [])];
  const statuses = answers.map(({ status }) => status).sort();
  // A request that is sent again after a death has its answer from what it finds.
  const areBothDone = world.acquirer.mayDie && isTwice && statuses.every((status) => status === 200);
  if (!areBothDone) assert.deepEqual(statuses, expected);
  const shown = await world.shop.get(`/subscriptions/${id}`);
  if (expected[0] === 200) assert.equal(shown.cancellation_reason, reason ?? null);
  return `${id}${await keepRefused(world, subscription, refused)}`;
}

export const reactivate: Action = {
  name: 'reactivate',
  weight: 3,
  async run(world) {
    const { random, subscriptions } = world;
    const isOther = random.oneIn(5) && subscriptions.length > 0;
    const subscription = isOther
      ? random.pick(subscriptions)
      : subscriptions.find(({ model }) => model.status === 'canceled');
    if (subscription === undefined || !world.isApproved) return null;
    const { id, model } = subscription;
    const request = () => world.shop.post(`/subscriptions/${id}/reactivate`);
    const isTwice = world.random.oneIn(4);
    const answers = await Promise.all(isTwice ? [request(), request()] : [request()]);
    const expected = [reactivateModel(model, world.now) ? 200 : 422, ...(isTwice ? [422] : [])];
    assert.deepEqual(answers.map(({ status }) => status).sort(), expected);
    return id;
  },
};

export const changeMeans: Action = {
  name: 'change the payment method',
  weight: 4,
  async run(world) {
    const subscription = anySubscription(world);
    if (subscription === undefined || !world.isApproved) return null;
    const { id, model } = subscription;
    if (world.random.oneIn(3)) return changeToMandate(world, subscription);
    const fault = randomFault(world);
    const { means, fields } = await otherMeans(world, subscription);
    await dropScripts(world, subscription);
    const refused = world.random.oneIn(2) ? await refuseWithdrawal(world, subscription) : null;
    let hasCharged = false;
    const isAllowed = useMeans(model, means, world.now, (asked) => {
      hasCharged = true;
      return sendWith(fault)(asked);
    });
    const body = {
      payment_method: means.method,
      ...fields,
    };
    const { status, text } = await world.request(fault, 'PUT', `/subscriptions/${id}/payment-method`, body);
    assert.equal(status, hasCharged && isKill(fault) ? DIED : isAllowed ? 200 : 422, text);
    return `${id} ${means.method} ${fault}${await keepRefused(world, subscription, refused)}`;
  },
};

async function changeToMandate(world: World, subscription: Simulated): Promise<string> {
  const { id, model } = subscription;
  const { random, theme } = world;
  const plan = random.oneIn(2) ? await randomOffer(world, random.pick(theme.intervals)) : null;
  const { interval } = plan ?? planAhead(model);
  const prices = pricesOfMandate(model, plan, world.now + QR_MS);
  // Most terms allow the prices.
  const asked = random.oneIn(8) ? [...prices.slice(0, 1), 9_999] : prices;
  const { mandate, terms } = randomMandate(world, interval, asked, plan);
  const isOpen = model.status !== 'canceled' && !isFinished(model);
  const refused = isOpen && model.pendingUpgrade !== null ? 409 : 422;
  const isAllowed = requestMandate(model, mandate);
  if (isAllowed && model.means.method !== 'pix_recurring') await dropScripts(world, subscription);
  const body = {
    payment_method: 'pix_recurring',
    pix_recurring: terms,
    ...(plan !== null && { offer_id: plan.offerId }),
  };
  const scripted = isAllowed ? await scriptPayer(world, subscription.customerId) : null;
  const { status, text } = await world.shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  assert.equal(status, isAllowed ? 200 : refused, text);
  await decideAs(world, scripted, model);
  const decides = scripted === null && isAllowed && world.random.oneIn(2);
  const decision = decides ? await decide(world, subscription) : (scripted?.outcome ?? 'waits');
  return `${id} to a mandate ${JSON.stringify({ ...terms, ...plan, status })}: ${decision}`;
}

/** Other means of payment, with the fields of the request for them. */
async function otherMeans(
  world: World,
  { customerId, model }: Simulated,
): Promise<{ readonly means: Means; readonly fields: object }> {
  const method = world.random.pick([
    'credit_card',
    'credit_card',
    'browser_wallet',
    'bank_slip',
    'pix',
  ] as const);
  if (method === 'browser_wallet') {
    const { card, token } = await wallet(world, false);
    return { means: { method, card }, fields: { browser_wallet: { browser_wallet_token: token } } };
  }
  if (method !== 'credit_card') return { means: { method }, fields: {} };
  const { means } = model;
  const isSame = means.method === method && world.random.oneIn(4);
  const card = isSame && 'card' in means ? means.card : await storedCard(world, customerId);
  return { means: { method, card }, fields: { credit_card: { id: card.id } } };
}

/** A change of an offer, or of a recipient, does not change the subscriptions that were made with it. */
export const changeOffers: Action = {
  name: 'change the offers',
  weight: 2,
  async run(world) {
    const { shop } = world;
    const rows = await world.service.rows<{ id: string }>(
      "select id from offers where slot = :slot and merchant_id = :account and state <> 'archived' order by created_at, id",
      { ...world.key },
    );
    // A preview promises the prices of the offer as it was.
    for (const subscription of world.subscriptions) subscription.preview = null;
    for (const { id } of rows) {
      const body = { cycles: [{ start: 1, end: null, amount: 100 * world.random.integer(1, 99) }] };
      const { status, text } = await shop.call('PUT', `/product-offers/${id}`, { body });
      assert.equal(status, 200, text);
    }
    await world.offer({});
    await changeRecipient(world);
    return String(rows.length);
  },
};

/** The merchant is suspended. Charges wait until it is approved again. */
export const suspend: Action = {
  name: 'suspend',
  weight: 1,
  async run(world) {
    if (!world.isApproved) return null;
    await setApproved(world, false);
    return '';
  },
};

export const approve: Action = {
  name: 'approve',
  weight: 8,
  async run(world) {
    if (world.isApproved) return null;
    await setApproved(world, true);
    return '';
  },
};

async function setApproved(world: World, isApproved: boolean): Promise<void> {
  world.isApproved = isApproved;
  await world.service.rows(
    'update merchants set status = :status where slot = :slot and merchant_id = :account',
    { ...world.key, status: isApproved ? 'approved' : 'suspended' },
  );
}
