import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { scriptCard, scriptWallet } from '../cards.ts';
import { INTERVALS_OF_OFFERS, randomOffer } from '../drawn-plans.ts';
import { DIED, type Fault, isKill, sendWith } from '../faults.ts';
import { isPlanChanging } from '../model/mandate.ts';
import {
  changePlan as changeModel,
  type Effective,
  type Figures,
  quote,
  settleUpgrade,
} from '../model/merchant.ts';
import type { Plan } from '../model/plan.ts';
import { isUnsettled, type ModelSubscription, PAID_UP } from '../model/state.ts';
import type { KeptPreview, Simulated } from '../simulated.ts';
import type { World } from '../world.ts';
import { type Action, anySubscription, preferably, randomFault } from './action.ts';

const MINUTE_MS = 60_000;
/** How long a preview holds (row 13.29). */
const VALID_MS = 15 * MINUTE_MS;

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
    const kept = random.oneIn(2) ? keptPreview(world, subscription) : null;
    const change = kept ?? (await randomChange(world, subscription));
    const { plan, effective } = change;
    const figures = quote(model, plan, effective, world.now);
    const body = { offer_id: plan.offerId, effective };
    const isPreviewed = kept !== null || random.oneIn(2);
    const preview = kept ?? (isPreviewed ? await newPreview(world, subscription, change) : null);
    // It is asked for and not used.
    if (preview !== null && kept === null && random.oneIn(3)) return `${id} a preview`;
    const isUpgrade = effective === 'immediate' && figures !== null && figures.delta > 0;
    if (isUpgrade && random.oneIn(3)) await scriptCharge(world, subscription);
    const fault = isUpgrade ? randomFault(world) : 'none';
    const wanted = { ...body, ...(preview !== null && { preview_id: preview.id }) };
    const answer = await world.request(fault, 'POST', `/subscriptions/${id}/change-plan`, wanted);
    const holds =
      preview === null || (ageOf(preview, world) < VALID_MS && isDeepStrictEqual(preview.figures, figures));
    const status = statusOf(world, model, { plan, effective, figures, holds }, fault);
    assert.equal(answer.status, status, answer.text);
    if (status < 300) assert.deepEqual(figuresOf(answer.body.data), figures);
    const receipt = preview === null ? '' : `, with a preview${kept === null ? '' : ' of an earlier step'}`;
    return `${id} ${JSON.stringify({ effective, ...plan, ...figures, fault })}: ${status}${receipt}`;
  },
};

/** The latest preview. None at the end of its 15 minutes: the service may count a second more. */
function keptPreview(world: World, { preview }: Simulated): KeptPreview | null {
  return preview !== null && Math.abs(ageOf(preview, world) - VALID_MS) < MINUTE_MS ? null : preview;
}

function ageOf({ at }: KeptPreview, { now }: World): number {
  return now - at;
}

type WantedChange = Pick<KeptPreview, 'plan' | 'effective'>;

async function randomChange(world: World, { model }: Simulated): Promise<WantedChange> {
  const { random } = world;
  const effective = random.oneIn(2) ? 'next_cycle' : 'immediate';
  const isOther = random.oneIn(3) || model.plan.interval === 'weekly';
  const plan = await randomOffer(world, isOther ? random.pick(INTERVALS_OF_OFFERS) : model.plan.interval);
  return { plan, effective };
}

async function scriptCharge(world: World, subscription: Simulated): Promise<void> {
  const { means } = subscription.model;
  if (means.method === 'credit_card') await scriptCard(world, means.card);
  if (means.method === 'browser_wallet') await scriptWallet(world, subscription, means.card);
}

/** Null if the change is refused, and so is its preview. */
async function newPreview(
  world: World,
  subscription: Simulated,
  { plan, effective }: WantedChange,
): Promise<KeptPreview | null> {
  const { id, model } = subscription;
  const figures = quote(model, plan, effective, world.now);
  const body = { offer_id: plan.offerId, effective };
  const answer = await world.shop.post(`/subscriptions/${id}/change-plan/preview`, body);
  const isPending = isPlanChanging(model, world.now);
  assert.equal(answer.status, isPending ? 409 : figures === null ? 422 : 200, answer.text);
  if (figures === null || answer.status !== 200) return null;
  assert.deepEqual(figuresOf(answer.body.data), figures, 'the preview');
  subscription.preview = { id: answer.body.data.preview_id, plan, effective, figures, at: world.now };
  return subscription.preview;
}

function figuresOf({ delta, next_charge_at, next_charge_amount }: Figures): Figures {
  return { next_charge_at, next_charge_amount, delta };
}

interface Change {
  readonly plan: Plan;
  readonly effective: Effective;
  readonly figures: Figures | null;
  /** Whether the figures are still those of the preview. */
  readonly holds: boolean;
}

/** Changes the model. Returns the status of the answer. */
function statusOf(
  { now }: World,
  model: ModelSubscription,
  { plan, effective, figures, holds }: Change,
  fault: Fault,
): number {
  if (isPlanChanging(model, now)) return 409;
  if (figures === null) return 422;
  if (!holds) return 409;
  if (effective === 'next_cycle' || figures.delta <= 0 || !('card' in model.means)) {
    changeModel(model, plan, effective, figures);
    return 200;
  }
  const { isKnown, decision } = sendWith(fault)(model);
  const { paidCycles: cycle } = model;
  model.pendingUpgrade = { plan, decision, cycle, amount: figures.delta, state: 'processing' };
  model.upgrades.push(model.pendingUpgrade);
  if (isKnown) settleUpgrade(model, model.pendingUpgrade);
  if (isKill(fault)) return DIED;
  return isKnown ? (decision === 'approve' ? 200 : 422) : 202;
}
