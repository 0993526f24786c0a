import assert from 'node:assert/strict';
import { deliver, notification } from '../../../support/payments/notifications.ts';
import { invoices } from '../../../support/subscriptions/subscription-calls.ts';
import { dropScripts, scriptCard, scriptMandate, scriptWallet } from '../cards.ts';
import { fittingModel } from '../compare.ts';
import {
  authorize as authorizeModel,
  endMandate as endModel,
  isWaiting,
  payable,
  pay as payModel,
  reject,
} from '../model/payer.ts';
import { type Attempt, copyOf, isFinished, type ModelSubscription } from '../model/state.ts';
import type { Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, preferably } from './action.ts';

/** The customer pays a boleto or a Pix, a boleto also after it has expired. */
export const pay: Action = {
  name: 'pay',
  weight: 10,
  async run(world) {
    const fewest = world.random.oneIn(2) ? 2 : 1;
    const subscription = preferably(world, ({ model }) => payable(model).length >= fewest);
    const attempts = subscription === undefined ? [] : payable(subscription.model);
    if (subscription === undefined || attempts.length === 0) return null;
    const { model } = subscription;
    // The money would come twice if a charge of a card has no outcome yet.
    if (model.open!.attempt?.state === 'processing') return null;
    const attempt = world.random.oneIn(2) ? world.random.pick(attempts) : attempts.at(-1)!;
    const paymentId = await paymentOf(world, subscription, attempt);
    const log = `${subscription.id} ${attempt.method} ${attempt.dueOn} ${attempt.state}`;
    payModel(model, attempt);
    const { status, text } = await world.shop.post(`/sandbox/payments/${paymentId}/simulate`, {
      outcome: 'paid',
    });
    assert.equal(status, 200, text);
    if (world.random.oneIn(2)) await notifyAgain(world, paymentId, attempt);
    return log;
  },
};

export async function paymentOf(world: World, { id, model }: Simulated, attempt: Attempt): Promise<string> {
  const { cycle, invoice } = model.open!;
  const shown = (await invoices(world.shop, id)).find((one) => one.cycle === cycle)!;
  return shown.payments[invoice.attempts.indexOf(attempt)].id;
}

async function notifyAgain(world: World, paymentId: string, { method, amount }: Attempt): Promise<void> {
  const type = method === 'pix' ? 'pix.paid' : 'bank_slip.paid';
  const reference = await world.shop.reference(paymentId);
  const [paid] = await world.service.rows<{ captured_at: Date }>(
    'select captured_at from simulator.payments where account = :account and reference = :reference',
    { account: world.account, reference },
  );
  const occurred_at = paid!.captured_at.toISOString();
  const report = notification(world.account, reference, type, { amount_centavos: amount, occurred_at });
  assert.equal(await deliver(world.service, report), 204);
}

/** The payer of a mandate decides about it. */
export const decideMandate: Action = {
  name: 'authorize the mandate',
  weight: 6,
  async run(world) {
    const subscription = preferably(world, ({ model }) => isWaiting(model, world.now));
    return subscription === undefined ? null : decide(world, subscription);
  },
};

export async function decide(world: World, subscription: Simulated): Promise<string> {
  const { id, model } = subscription;
  if (isWaiting(model, world.now) && world.random.oneIn(6)) {
    await dropScripts(world, subscription);
    const { payment } = await world.shop.get(`/subscriptions/${id}`);
    reject(model);
    const reason = world.random.pick(['AP13', 'AP14', 'AC05']);
    await world.shop.simulate(payment.id, 'refused', reason);
    assert.equal((await world.shop.payment(payment.id)).refusal.code, reason);
    return `${id} rejected: ${reason}`;
  }
  // A wallet may have got a script since the mandate was requested.
  if (model.means.method !== 'pix_recurring') await dropScripts(world, subscription);
  const isAuthorized = authorizeModel(model, world.now);
  const { status, text } = await world.shop.post(`/sandbox/subscriptions/${id}/authorize`);
  assert.equal(status, isAuthorized ? 200 : 422, text);
  if (isAuthorized && world.random.oneIn(2)) await scriptMandate(world, subscription);
  return `${id} ${model.scripted.join(' ')}`;
}

/** The payer ends a mandate at the bank. */
export const endMandate: Action = {
  name: 'end the mandate',
  weight: 1,
  async run(world) {
    const subscription = preferably(world, ({ model }) => model.means.method === 'pix_recurring');
    if (subscription === undefined || isFinished(subscription.model)) return null;
    const { id, model } = subscription;
    const [one, other] = [copyOf(model), copyOf(model)];
    const { status, text } = await world.shop.post(`/sandbox/subscriptions/${id}/cancel-mandate`, {});
    assert.equal(status, endModel(one, world.now, 'mandate') ? 200 : 422, text);
    endModel(other, world.now, 'charge');
    await world.settle();
    subscription.model = (await fittingModel(world, subscription, [one, other])) ?? one;
    return id;
  },
};

/** A script with fewer decisions left can get more. */
const SHORT_SCRIPT = 2;

/** How many decisions of a script are left; none can be added for a method that has no script. */
function leftOf({ means, scripted }: ModelSubscription): number {
  if ('card' in means) return means.card.scripted.length;
  return means.method === 'pix_recurring' ? scripted.length : SHORT_SCRIPT;
}

/** The next charges of a card, or of a mandate, are decided by a script. */
export const script: Action = {
  name: 'script',
  weight: 6,
  async run(world) {
    const subscription = preferably(world, ({ model }) => leftOf(model) < SHORT_SCRIPT && !isFinished(model));
    if (subscription === undefined || leftOf(subscription.model) >= SHORT_SCRIPT) return null;
    const { means, scripted } = subscription.model;
    if (means.method === 'browser_wallet') {
      await scriptWallet(world, subscription, means.card);
      return means.card.scripted.join(' ');
    }
    if (means.method === 'credit_card') {
      await scriptCard(world, means.card);
      return means.card.scripted.join(' ');
    }
    if (means.method !== 'pix_recurring') return null;
    await scriptMandate(world, subscription);
    return scripted.join(' ');
  },
};
