import { dropScript, scriptCancellations } from './cards.ts';
import { keepCharge, type SentCharge, sentCharge } from './model/kept-charge.ts';
import { isIssued } from './model/methods.ts';
import type { Simulated } from './simulated.ts';
import type { World } from './world.ts';

/** A charge whose cancellation a script refuses. */
export interface RefusedWithdrawal {
  readonly scriptId: string;
  readonly sent: SentCharge;
}

/** Before a change that may withdraw a charge: the acquirer will not cancel one in two. Null: it will. */
export async function refuseWithdrawal(
  world: World,
  subscription: Simulated,
): Promise<RefusedWithdrawal | null> {
  const sent = sentCharge(subscription.model);
  if (sent === null || !isIssued(sent.attempt.method) || !world.random.oneIn(2)) return null;
  return { scriptId: await scriptCancellations(world, subscription, 1), sent };
}

/** After the change. Returns what happened, for the log. */
export async function keepRefused(
  world: World,
  { model }: Simulated,
  refused: RefusedWithdrawal | null,
): Promise<string> {
  if (refused === null) return '';
  await world.settle();
  await dropScript(world, refused.scriptId);
  if (refused.sent.attempt.state !== 'canceled') return '';
  keepCharge(model, refused.sent);
  return ', but its charge is not canceled';
}
