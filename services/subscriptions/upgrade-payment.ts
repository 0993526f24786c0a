import { merchantDay } from '../../domain/local-time.ts';
import { changeOf } from '../../domain/subscriptions/engine/change.ts';
import { completeUpgrade } from '../../domain/subscriptions/plan-change.ts';
import type { PendingUpgrade, Subscription } from '../../domain/subscriptions/subscription.ts';
import { now, type PaymentChange, type TransactionContext } from '../deps.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { addCyclePayment, type ChargeMeans, cyclePayment } from './cycle-payment.ts';
import { moveSubscription } from './move-subscription.ts';

/** Writes the charge of an upgrade. The subscription has the plan of the upgrade after the charge is approved. */
export async function beginUpgrade(
  context: TransactionContext,
  subscription: Subscription,
  { paymentId, plan, amount_centavos }: Omit<PendingUpgrade, 'cycle'> & { readonly amount_centavos: number },
  means: ChargeMeans,
): Promise<BegunOperation> {
  const { deps, merchant } = context;
  const at = now(deps, merchant);
  const charge = { cycle: null, amount_centavos, dueOn: merchantDay(at) };
  const payment = {
    ...cyclePayment({ deps, merchant, subscription, at }, charge, means),
    id: paymentId,
    offerId: plan.offerId,
    billingDate: null,
    // The difference can be less than a centavo per installment.
    installments: 1,
  };
  await writeUpgrade(context, subscription, { paymentId, plan, cycle: subscription.billing.paidCycles });
  return addCyclePayment(context, payment, means);
}

/** Settles an upgrade with its payment. A refused one leaves the subscription as it was. */
export async function settleUpgrade(
  context: TransactionContext,
  subscription: Subscription,
  { plan, cycle }: PendingUpgrade,
  { after, at }: PaymentChange,
): Promise<void> {
  if (after.status === 'processing') return;
  if (after.captured_centavos > 0) {
    const { billing } = subscription;
    // While a cycle is open, its payment stays the latest one, because its outcome settles the cycle.
    const payment = billing.openCycle === null ? { payment: after } : {};
    const completed = completeUpgrade(billing, plan, cycle);
    await moveSubscription(context, subscription, completed, { at, pendingUpgrade: null, ...payment });
  } else if (FAILED.has(after.status)) {
    await writeUpgrade(context, subscription, null);
  }
}

const FAILED: ReadonlySet<string> = new Set(['refused', 'canceled', 'expired']);

function writeUpgrade(
  context: TransactionContext,
  subscription: Subscription,
  pendingUpgrade: PendingUpgrade | null,
): Promise<Subscription> {
  const { billing, updatedAt: at } = subscription;
  return moveSubscription(context, subscription, changeOf(billing), { at, pendingUpgrade });
}
