import { inBulk } from '../../db/engine/bulk.ts';
import { limitLockWait } from '../../db/engine/lock-timeout.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { lockDueSubscriptions } from '../../db/subscriptions/due-subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, now, type TransactionContext } from '../deps.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import type { StepMeans, UnreadableMeans } from './prepare-charges.ts';
import { takeDueStep } from './take-due-step.ts';

/** What became of the steps of some subscriptions. */
interface TakenSteps {
  /** The charges to send. A step may send nothing. */
  readonly charges: readonly BegunOperation[];
  /** The subscriptions whose step was taken, whose step is left for later, and whose step failed. */
  readonly taken: readonly string[];
  readonly left: readonly string[];
  readonly failed: readonly string[];
}

/**
 * After this time no step begins that is taken alone, so that the charges of the steps before are sent (wall time). It
 * is a small part of the 10 s after which the reconciler can ask for a charge, which counts as refused if it was not
 * sent.
 */
const ONE_BY_ONE_MS = 2_000;

/** For the same reason, how long a step waits for a lock if steps before it were taken. */
const LOCK_WAIT_MS = 2_000;

type Means = ReadonlyMap<string, StepMeans | UnreadableMeans>;

/**
 * Takes the steps that are due of some subscriptions in one transaction. If that fails, each step gets its own one, so
 * that a step that cannot be taken does not stop the others. Both are logged. If that takes long, or if the database is
 * lost meanwhile, the other steps are left for later.
 */
export async function takeDueSteps(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
): Promise<TakenSteps> {
  try {
    return outcomeOf(due, await takeTogether(deps, merchant, due, means), []);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const fields = { merchant_id: merchant.merchantId, err: error };
    deps.log.warn(fields, 'billing steps are taken one by one');
    return takeOneByOne(deps, merchant, due, means);
  }
}

function outcomeOf(
  due: readonly Subscription[],
  steps: ReadonlyMap<string, BegunOperation | null>,
  failed: readonly string[],
): TakenSteps {
  return {
    charges: [...steps.values()].filter((charge) => charge !== null),
    taken: [...steps.keys()],
    left: due.map(({ id }) => id).filter((id) => !steps.has(id) && !failed.includes(id)),
    failed,
  };
}

async function takeOneByOne(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
): Promise<TakenSteps> {
  const steps = new Map<string, BegunOperation | null>();
  const failed: string[] = [];
  const endsAt_ms = deps.wall().getTime() + ONE_BY_ONE_MS;
  for (const subscription of due) {
    // The charges before it are committed, so they are sent first.
    if (steps.size > 0 && deps.wall().getTime() > endsAt_ms) break;
    try {
      const lockWait_ms = steps.size > 0 ? LOCK_WAIT_MS : undefined;
      const taken = await takeTogether(deps, merchant, [subscription], means, lockWait_ms);
      for (const [id, charge] of taken) steps.set(id, charge);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) {
        if (steps.size === 0) throw error;
        break;
      }
      failed.push(subscription.id);
      const fields = { subscription_id: subscription.id, merchant_id: merchant.merchantId, err: error };
      deps.log.error(fields, 'a billing step failed');
    }
  }
  return outcomeOf(due, steps, failed);
}

/** Returns the charge of each step that was taken, by subscription; null if the step sends nothing. */
function takeTogether(
  deps: Deps,
  merchant: Merchant,
  due: readonly Subscription[],
  means: Means,
  lockWait_ms?: number,
): Promise<ReadonlyMap<string, BegunOperation | null>> {
  return deps.db.transaction(merchant, async (tx) => {
    if (lockWait_ms !== undefined) await limitLockWait(tx, lockWait_ms);
    const at = now(deps, merchant);
    const context = { deps, tx: inBulk(tx), merchant };
    const latest = await lockLatestPayments(context, due, at);
    const ids = due.map(({ id }) => id);
    const locked = await lockDueSubscriptions(tx, merchant, { ids, until: at });
    const steps = new Map<string, BegunOperation | null>();
    await Promise.all(
      locked.map(async (subscription) => {
        const { id, latestPaymentId } = subscription;
        const input = { means: means.get(id), latest: latest.get(latestPaymentId ?? '') };
        const charge = await takeDueStep(context, subscription, input, at);
        if (charge !== undefined) steps.set(subscription.id, charge);
      }),
    );
    return steps;
  });
}

/** Steps that change the latest payment. */
const CHANGING: ReadonlySet<StepKind> = new Set(['expire_mandate', 'send']);

/** Locks the latest payments that the steps change, by their ids. A payment is locked before its subscription. */
async function lockLatestPayments(
  { tx, merchant }: TransactionContext,
  due: readonly Subscription[],
  at: Date,
): Promise<ReadonlyMap<string, Payment>> {
  const ids = due.flatMap(({ billing, latestPaymentId }) => {
    const step = dueStep(billing, at);
    return step !== null && CHANGING.has(step.kind) ? (latestPaymentId ?? []) : [];
  });
  const payments = await Promise.all(ids.map((id) => lockPayment(tx, merchant, id)));
  return new Map(payments.filter((payment) => payment !== undefined).map((payment) => [payment.id, payment]));
}
