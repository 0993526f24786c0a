import { insertPayment } from '../../db/payments/insert-payment.ts';
import { hasMandate } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type BillingChange, needsPaymentMeans } from '../../domain/subscriptions/engine/change.ts';
import { dueStep, type StepKind } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import { withoutCharge } from '../../domain/subscriptions/engine/unreadable-means.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { TransactionContext } from '../deps.ts';
import { beginMandateCharge, laterChargeDetails } from '../payments/methods/mandates/charge-mandate.ts';
import { movePayment } from '../payments/move-payment.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { addCyclePayment, type ChargeContext, type CycleCharge, cyclePayment } from './cycle-payment.ts';
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

/**
 * A step that is taken: in which transaction, of which locked subscription, what it changes, and the merchant's time.
 */
interface StepContext extends TransactionContext {
  readonly subscription: Subscription;
  readonly change: BillingChange;
  readonly at: Date;
}

/** What was read before the step. Each is missing if the step does not need it, or if it could not be read. */
export interface StepInput {
  readonly means: StepMeans | UnreadableMeans | undefined;
  /** The latest payment, which the step sends or drops, locked before the subscription. */
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
): Promise<BegunOperation | null | undefined> {
  const { deps, tx, merchant } = context;
  const step = dueStep(subscription.billing, at);
  if (step === null) return undefined;
  const change = takeStep(subscription.billing, step, at);
  const { payment: action } = change;
  const isSentNow = needsPaymentMeans(action);
  // What was read for a step that charged a customer is not used by one that does not.
  const charged = isSentNow ? means : undefined;
  if (isSentNow && (charged === undefined || !hasSameMeans(charged.of, subscription))) return undefined;
  const changesPayment = action !== null && action.kind !== 'charge';
  if (changesPayment && latest === undefined) return undefined;
  // Sent together.
  const [, sent] = await Promise.all([
    recordClockStep(deps, tx, merchant, { step: CLOCK_STEPS[step.kind], objectId: subscription.id }),
    write({ ...context, subscription, change, at }, { means: charged, latest }),
  ]);
  return sent;
}

/** Writes the step. Returns the charge to send, or null. */
async function write(step: StepContext, { means, latest }: StepInput): Promise<BegunOperation | null> {
  const { subscription, change, at } = step;
  const { payment: action } = change;
  if (means !== undefined && isUnreadable(means)) {
    await moveSubscription(step, subscription, withoutCharge(change, at), { at });
    return null;
  }
  switch (action?.kind) {
    case 'charge':
      return charge(step, action, means!);
    case 'send':
      await moveSubscription(step, subscription, change, { at });
      return sendByMandate(step, latest!, means!);
    case 'withdraw':
      return drop(step, latest!);
    default:
      await moveSubscription(step, subscription, change, { at });
      return null;
  }
}

async function charge(
  step: StepContext,
  action: CycleCharge,
  means: StepMeans,
): Promise<BegunOperation | null> {
  if (isByMandate(means)) return schedule(step, action, means);
  const payment = cyclePayment(withBilling(step), action, means);
  await moveSubscription(step, step.subscription, step.change, { at: step.at, payment });
  return addCyclePayment(step, payment, means);
}

/** The first charge of a plan that waited for the next cycle names the offer of that plan. */
function withBilling({ subscription, change, ...step }: StepContext): ChargeContext {
  return { ...step, subscription: { ...subscription, billing: change.billing } };
}

/** Writes a charge by a mandate, which makes no event. One that is due soon is sent at once. */
async function schedule(
  step: StepContext,
  action: CycleCharge,
  { mandate, customer }: MandateMeans,
): Promise<BegunOperation | null> {
  const { deps, tx, merchant, subscription, change, at } = step;
  const prepared = { details: () => laterChargeDetails(deps, merchant, mandate) };
  const payment: Payment = {
    ...cyclePayment(withBilling(step), action, { prepared, customer }),
    status: 'scheduled',
    history: [{ status: 'scheduled', at }],
  };
  let begun: BegunOperation | null = null;
  const writePayments = async () => {
    await insertPayment(tx, merchant, payment);
    if (action.isSent) begun = await sendByMandate(step, payment, { customer });
  };
  await moveSubscription(step, subscription, change, { at, payment, writePayments });
  return begun;
}

/** Cancels the scheduled charge, whose due date has passed. */
async function drop(step: StepContext, scheduled: Payment): Promise<null> {
  const { subscription, change, at } = step;
  const writePayments = () => movePayment(step, scheduled, { by: 'clock', at }, { move: 'drop' });
  await moveSubscription(step, subscription, change, { at, writePayments });
  return null;
}

function sendByMandate(
  context: TransactionContext,
  payment: Payment,
  { customer: { id: customerId, name, document } }: Pick<StepMeans, 'customer'>,
): Promise<BegunOperation> {
  if (!hasMandate(payment)) throw new Error(`The payment ${payment.id} has no mandate.`);
  return beginMandateCharge(context, payment, { customerId, name, document: document?.value ?? null });
}
