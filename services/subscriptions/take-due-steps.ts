import { inBulk } from '../../db/engine/bulk.ts';
import type { Tx } from '../../db/engine/database.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { lockDueSubscriptions } from '../../db/subscriptions/due-subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { dueStep } from '../../domain/subscriptions/engine/next-step.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, now } from '../deps.ts';
import type { BegunCharge } from './cycle-payment.ts';
import type { StepMeans } from './prepare-charges.ts';
import { takeDueStep } from './take-due-step.ts';

/** The steps that were taken, and the subscriptions whose step failed. */
interface TakenSteps {
  /** The charge to send; null if the step sends nothing. */
  readonly steps: readonly (BegunCharge | null)[];
  readonly failed: readonly string[];
}

type Means = ReadonlyMap<string, StepMeans>;

/** Whether the merchant's customers may be charged. */
export function mayCharge({ status }: Merchant): boolean {
  return status === 'approved';
}

/**
 * Takes the steps that are due of some subscriptions in one transaction. If that fails, each step gets its own one, so that
 * a step that cannot be taken does not stop the others. It is logged.
 */
export async function takeDueSteps(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
): Promise<TakenSteps> {
  try {
    return { steps: await takeTogether(deps, merchant, due, means), failed: [] };
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    return takeOneByOne(deps, merchant, due, means);
  }
}

async function takeOneByOne(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
): Promise<TakenSteps> {
  const steps: (BegunCharge | null)[] = [];
  const failed: string[] = [];
  for (const subscription of due) {
    try {
      steps.push(...(await takeTogether(deps, merchant, [subscription], means)));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      failed.push(subscription.id);
      const fields = { subscription_id: subscription.id, merchant_id: merchant.merchantId, err: error };
      deps.log.error(fields, 'a billing step failed');
    }
  }
  return { steps, failed };
}

function takeTogether(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
): Promise<(BegunCharge | null)[]> {
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const waiting = await lockWaitingPayments(tx, merchant, due, at);
    const limits = { limit: due.length, mayCharge: mayCharge(merchant), until: at };
    const ids = due.map(({ id }) => id);
    const locked = await lockDueSubscriptions(tx, merchant, { ...limits, ids });
    const context = { deps, tx: inBulk(tx), merchant };
    const taken = await Promise.all(
      locked.map((subscription) => {
        const input = { means: means.get(subscription.id), waiting: waiting.get(subscription.id) };
        return takeDueStep(context, subscription, input, at);
      }),
    );
    return taken.filter((step) => step !== undefined);
  });
}

/** Locks the payments whose mandates expire now. A payment is locked before its subscription. */
async function lockWaitingPayments(
  tx: Tx,
  merchant: Merchant,
  due: readonly Subscription[],
  at: Date,
): Promise<ReadonlyMap<string, Payment>> {
  const waiting = new Map<string, Payment>();
  for (const { id, billing, latestPaymentId } of due) {
    if (latestPaymentId === null || dueStep(billing, at)?.kind !== 'expire_mandate') continue;
    const payment = await lockPayment(tx, merchant, latestPaymentId);
    if (payment !== undefined) waiting.set(id, payment);
  }
  return waiting;
}
