import assert from 'node:assert/strict';
import { scriptCard, scriptWallet } from '../cards.ts';
import { DIED, type Fault, isKill, sendWith } from '../faults.ts';
import { changePlan as changeModel, type Figures, quote, settleUpgrade } from '../model/merchant.ts';
import type { Interval, Plan } from '../model/plan.ts';
import { isUnsettled, type ModelSubscription, PAID_UP } from '../model/state.ts';
import type { Simulated, World } from '../world.ts';
import { type Action, anySubscription, preferably, randomFault } from './action.ts';
import { randomOffer } from './create.ts';

const INTERVALS: readonly Interval[] = ['monthly', 'quarterly', 'half-yearly', 'yearly'];

/** A change of the plan, often with a preview first, which must have the figures of the change. */
export const changePlan: Action = {
  name: 'change the plan',
  weight: 8,
  async run(world) {
    const isPaidCard = ({ model }: Simulated) => 'card' in model.means && PAID_UP.includes(model.status);
    const subscription = world.random.oneIn(2) ? preferably(world, isPaidCard) : anySubscription(world);
    if (subscription === undefined || !world.isApproved || isUnsettled(subscription.model)) return null;
    const { id, model } = subscription;
    const { random } = world;
    const effective = random.oneIn(2) ? 'next_cycle' : 'immediate';
    const interval =
      random.oneIn(3) || model.plan.interval === 'weekly' ? random.pick(INTERVALS) : model.plan.interval;
    const plan = await randomOffer(world, interval);
    const body = { offer_id: plan.offerId, effective };
    const expected = quote(model, plan, effective, world.now);
    const previewId = random.oneIn(2) ? await preview(world, subscription, body, expected) : undefined;
    const isUpgrade = effective === 'immediate' && expected !== null && expected.delta > 0;
    if (isUpgrade && random.oneIn(3)) await scriptCharge(world, subscription);
    const fault = isUpgrade ? randomFault(world) : 'none';
    const wanted = { ...body, ...(previewId !== undefined && { preview_id: previewId }) };
    const answer = await world.request(fault, 'POST', `/subscriptions/${id}/change-plan`, wanted);
    const status = statusOf(model, plan, effective, expected, fault);
    assert.equal(answer.status, status, answer.text);
    if (status < 300) assert.deepEqual(figuresOf(answer.body.data), expected);
    return `${id} ${JSON.stringify({ effective, ...plan, ...expected, fault })}`;
  },
};

async function scriptCharge(world: World, subscription: Simulated): Promise<void> {
  const { means } = subscription.model;
  if (means.method === 'credit_card') await scriptCard(world, means.card);
  if (means.method === 'browser_wallet') await scriptWallet(world, subscription, means.card);
}

/** Returns the id of the preview; undefined if the change is refused, and so is its preview. */
async function preview(
  world: World,
  { id, model }: Simulated,
  body: object,
  expected: Figures | null,
): Promise<string | undefined> {
  const answer = await world.shop.post(`/subscriptions/${id}/change-plan/preview`, body);
  const isPending = model.pendingUpgrade !== null;
  assert.equal(answer.status, isPending ? 409 : expected === null ? 422 : 200, answer.text);
  if (answer.status !== 200) return undefined;
  assert.deepEqual(figuresOf(answer.body.data), expected, 'the preview');
  return answer.body.data.preview_id;
}

function figuresOf({ delta, next_charge_at, next_charge_amount }: Figures): Figures {
  return { next_charge_at, next_charge_amount, delta };
}

/** Changes the model. Returns the status of the answer. */
function statusOf(
  model: ModelSubscription,
  plan: Plan,
  effective: 'next_cycle' | 'immediate',
  figures: Figures | null,
  fault: Fault,
): number {
  if (model.pendingUpgrade !== null) return 409;
  if (figures === null) return 422;
  if (effective === 'next_cycle' || figures.delta <= 0 || !('card' in model.means)) {
    changeModel(model, plan, effective, figures);
    return 200;
  }
  const { isKnown, decision } = sendWith(fault)(model.means.card);
  const { paidCycles: cycle } = model;
  model.pendingUpgrade = { plan, decision, cycle, amount: figures.delta, state: 'processing' };
  model.upgrades.push(model.pendingUpgrade);
  if (isKnown) settleUpgrade(model, model.pendingUpgrade);
  if (isKill(fault)) return DIED;
  return isKnown ? (decision === 'approve' ? 200 : 422) : 202;
}
