import assert from 'node:assert/strict';
import { companyBody } from '../../support/orders/parties.ts';
import { created } from '../../support/shop.ts';
import type { Plan } from './model/plan.ts';
import type { ModelShare } from './model/split.ts';
import type { Recipient } from './simulated.ts';
import type { World } from './world.ts';

const RECIPIENTS = 3;
/** All shares together can be at most the price. */
const MAX_PERCENT = 20;
const MAX_FIXED_PERCENT = 13;

/**
 * How the charges of a plan are shared: by one to three lines, or not at all, as mostly. With the field of the request.
 */
export async function randomSplit(world: World, { bands }: Plan) {
  const { random } = world;
  const prices = bands.map(({ amount }) => amount).filter((amount) => amount > 0);
  if (prices.length === 0 || !random.oneIn(3)) return { split: [], field: {} };
  const recipients = (await recipientsOf(world)).filter(({ isApproved }) => isApproved);
  const largest = Math.floor((Math.min(...prices) * MAX_FIXED_PERCENT) / 100);
  const split = recipients.slice(random.integer(0, 2)).map(({ id: recipientId }): ModelShare => {
    const type = random.pick(['fixed', 'percentage', 'percentage'] as const);
    const value = random.integer(1, type === 'fixed' ? largest : MAX_PERCENT);
    const [takesRemainder, bearsFee] = [random.oneIn(2), random.oneIn(3)];
    return { recipientId, type, value, takesRemainder, bearsFee, isLiable: random.oneIn(2) };
  });
  const lines = split.map(({ recipientId, type, value, takesRemainder, bearsFee, isLiable }) => ({
    ...{ recipient_id: recipientId, type, amount: value, is_liable: isLiable },
    ...{ allow_charge_remainder_fee: takesRemainder, allow_charge_processing_fee: bearsFee },
  }));
  return { split, field: split.length === 0 ? {} : { split: lines } };
}

/** One recipient is not approved any more, or again. Its shares in subscriptions go on. */
export async function changeRecipient(world: World): Promise<void> {
  const { random, recipients, shop } = world;
  if (recipients.length === 0) return;
  const recipient = random.pick(recipients);
  recipient.isApproved = !recipient.isApproved;
  const body = { status: recipient.isApproved ? 'approved' : 'blocked' };
  const { status, text } = await shop.call('PUT', `/recipients/${recipient.id}`, { body });
  assert.equal(status, 200, text);
}

async function recipientsOf({ recipients, shop }: World): Promise<readonly Recipient[]> {
  while (recipients.length < RECIPIENTS) {
    const { id } = await created(shop.post('/recipients', companyBody()));
    recipients.push({ id, isApproved: true });
  }
  return recipients;
}
