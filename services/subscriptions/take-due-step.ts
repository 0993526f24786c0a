import { insertPayment } from '../../db/payments/insert-payment.ts';
import { hasMandate } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import { withoutCharge } from '../../domain/subscriptions/engine/unreadable-means.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { TransactionContext } from '../deps.ts';
import { beginMandateCharge, laterChargeDetails } from '../payments/methods/mandates/charge-mandate.ts';
import { movePayment } from '../payments/move-payment.ts';
import { addCyclePayment, type BegunCharge, type CycleCharge, cyclePayment } from './cycle-payment.ts';
import { moveSubscription } from './move-subscription.ts';
import {
  hasSameMeans,
  isByMandate,
  isUnreadable,
  type MandateMeans,
  type StepMeans,
  type UnreadableMeans,
} from './prepare-charges.ts';

/** The names of the steps in the list of an advance of the clock. */
const CLOCK_STEPS: Readonly<Record<StepKind, string>> = {
  open_cycle: 'bill_cycle',
  begin_plan: 'begin_plan',
  attempt: 'retry_cycle',
  send: 'send_cycle_charge',
  give_up: 'give_up_cycle',
  complete: 'complete_subscription',
  end: 'end_subscription',
  expire_mandate: 'expire_mandate',
};

/** What was read before the step. Each is missing if the step does not need it, or if it could not be read. */
export interface StepInput {
  readonly means: StepMeans | UnreadableMeans | undefined;
  /** The latest payment, which the step sends, drops or expires, locked before the subscription. */
  readonly latest: Payment | undefined;
}

/**
 * Takes the step that is due of a locked subscription. Returns the charge to send; null if the step sends nothing.
 * Undefined, with nothing written, if nothing is due any more, if the input of the step is missing, or if the means of
 * payment was replaced since it was read.
 */
export async function takeDueStep(
  context: TransactionContext,
  subscription: Subscription,
  { means, latest }: StepInput,
  at: Date,
): Promise<BegunCharge | null | undefined> {
  const { deps, tx, merchant } = context;
  const step = dueStep(subscription.billing, at);
  if (step === null) return undefined;
  const change = takeStep(subscription.billing, step, at);
  const { payment: action } = change;
  const isSentNow = action?.kind === 'charge' || action?.kind === 'send';
  if (isSentNow && (means === undefined || !hasSameMeans(means.of, subscription))) return undefined;
  const changesPayment = action !== null && action.kind !== 'charge';
  if (changesPayment && latest === undefined) return undefined;
  const isUnread = means !== undefined && isUnreadable(means);
  // The step that was due when they were read charged a customer, and this one does not.
  if (isUnread && !isSentNow) return undefined;
  await recordClockStep(deps, tx, merchant, { step: CLOCK_STEPS[step.kind], objectId: subscription.id });
  if (isUnread) {
    await moveSubscription(context, subscription, withoutCharge(change, at), { at });
    return null;
  }
  switch (action?.kind) {
    case 'charge':
      return charge(context, subscription, change, action, means!, at);
    case 'send':
      await moveSubscription(context, subscription, change, { at });
      return sendByMandate(context, latest!, means!);
    case 'withdraw':
      return drop(context, subscription, change, latest!, at);
    case 'expire':
      return expire(context, subscription, change, latest!, at);
    default:
      await moveSubscription(context, subscription, change, { at });
      return null;
  }
}

async function charge(
  context: TransactionContext,
  subscription: Subscription,
  change: BillingChange,
  action: CycleCharge,
  means: StepMeans,
  at: Date,
): Promise<BegunCharge | null> {
  if (isByMandate(means)) return schedule(context, subscription, change, action, means, at);
  const { deps, merchant } = context;
  const payment = cyclePayment(deps, merchant, withBilling(subscription, change), action, means, at);
  await moveSubscription(context, subscription, change, { at, payment });
  return addCyclePayment(context, payment, means);
}

/** The first charge of a plan that waited for the next cycle names the offer of that plan. */
function withBilling(subscription: Subscription, { billing }: BillingChange): Subscription {
  return { ...subscription, billing };
}

/** Writes a charge by a mandate, which makes no event. One that is due soon is sent at once. */
async function schedule(
  context: TransactionContext,
  subscription: Subscription,
  change: BillingChange,
  action: CycleCharge,
  { mandate, customer }: MandateMeans,
  at: Date,
): Promise<BegunCharge | null> {
  const { deps, tx, merchant } = context;
  const prepared = { details: () => laterChargeDetails(deps, merchant, mandate) };
  const payment: Payment = {
    ...cyclePayment(deps, merchant, withBilling(subscription, change), action, { prepared, customer }, at),
    status: 'scheduled',
    history: [{ status: 'scheduled', at }],
  };
  let begun: BegunCharge | null = null;
  const writePayments = async () => {
    await insertPayment(tx, merchant, payment);
    if (action.isSent) begun = await sendByMandate(context, payment, { customer });
  };
  await moveSubscription(context, subscription, change, { at, payment, writePayments });
  return begun;
}

/** Cancels the scheduled charge, whose due date has passed. */
async function drop(
  context: TransactionContext,
  subscription: Subscription,
  change: BillingChange,
  scheduled: Payment,
  at: Date,
): Promise<null> {
  const writePayments = () => movePayment(context, scheduled, { by: 'clock', at }, { move: 'drop' });
  await moveSubscription(context, subscription, change, { at, writePayments });
  return null;
}

function sendByMandate(
  context: TransactionContext,
  payment: Payment,
  { customer: { id: customerId, name, document } }: Pick<StepMeans, 'customer'>,
): Promise<BegunCharge> {
  if (!hasMandate(payment)) throw new Error(`The payment ${payment.id} has no mandate.`);
  return beginMandateCharge(context, payment, { customerId, name, document: document?.value ?? null });
}

/** Expires the payment that asked for a mandate. The subscription ends with it (`subscriptionsOfMandates`). */
async function expire(
  context: TransactionContext,
  subscription: Subscription,
  change: BillingChange,
  latest: Payment,
  at: Date,
): Promise<null> {
  if (mayMove(latest, 'expire')) await movePayment(context, latest, { by: 'clock', at }, { move: 'expire' });
  else await moveSubscription(context, subscription, change, { at });
  return null;
}
