import { dropScript, scriptCancellations } from './cards.ts';
import { keepCharge, type SentCharge, sentCharge } from './model/kept-charge.ts';
import type { ModelSubscription } from './model/state.ts';
import type { Simulated } from './simulated.ts';
import type { World } from './world.ts';

/** Cancellations that a script refuses: of a charge, and of a mandate. */
export interface RefusedWithdrawal {
  readonly scriptId: string;
  /** Null if no charge was sent. */
  readonly sent: SentCharge | null;
}

/** Of a charge, and of its mandate. */
const CANCELLATIONS = 2;

/** Before a change that may withdraw a charge or a mandate: the acquirer will cancel neither. Null: it has neither. */
export async function refuseWithdrawal(
  world: World,
  subscription: Simulated,
): Promise<RefusedWithdrawal | null> {
  const { model } = subscription;
  const sent = sentCharge(model);
  if (isAnyRequested(model) || (sent === null && !hasMandate(model))) return null;
  return { scriptId: await scriptCancellations(world, subscription, CANCELLATIONS), sent };
}

/** A payer who decides about a mandate has a charge of its own. */
function isAnyRequested({ status, pendingMandate }: ModelSubscription): boolean {
  return status === 'payment_pending' || pendingMandate !== null;
}

function hasMandate({ means }: ModelSubscription): boolean {
  return means.method === 'pix_recurring' && means.mandate.state === 'authorized';
}

/** After the change. Returns what happened, for the log. */
export async function keepRefused(
  world: World,
  { id, model }: Simulated,
  refused: RefusedWithdrawal | null,
): Promise<string> {
  if (refused === null) return '';
  await world.settle();
  await dropScript(world, refused.scriptId);
  // The mandate is canceled a day later. That is now, so that the model need not know it.
  await world.service.rows(
    `update mandates set due_at = 'epoch'
      where slot = :slot and merchant_id = :account and subscription_id = :id and due_at is not null`,
    { ...world.key, id },
  );
  const { sent } = refused;
  if (sent?.attempt.state !== 'canceled') return '';
  keepCharge(model, sent);
  return ', but its charge is not canceled';
}
