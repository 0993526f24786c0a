import { lockOfferForSale } from '../../db/products/offers.ts';
import { findPlanPreview } from '../../db/subscriptions/plan-previews.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { changePlan as change } from '../../domain/subscriptions/plan-change.ts';
import { type PreviewedChange, previewProblem } from '../../domain/subscriptions/plan-preview.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { requireAcquirer } from '../payments/require-acquirer.ts';
import { type BegunOperation, runOperation } from '../payments/run-operation.ts';
import { runOrResume } from '../payments/run-or-resume.ts';
import { findOffer } from '../products/find-offer.ts';
import { invalid, Refusal, requireRow } from '../refusal.ts';
import { Unreadable } from '../vault/vault.ts';
import type { ChargeMeans } from './cycle-payment.ts';
import { findSubscription } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import {
  type ChangedPlan,
  changedPlan,
  type PlanChangeRequest,
  planOfOffer,
  quoteChange,
} from './plan-change-request.ts';
import { hasSameMeans, prepareCharge } from './prepare-charges.ts';
import { answerOf, finishUpgrade, type MadePlanChange, resumeUpgrade } from './settle-plan-change.ts';
import { beginUpgrade } from './upgrade-payment.ts';

export interface PlanChange extends PlanChangeRequest {
  /** A preview whose figures the change must have; null if none was sent. */
  readonly previewId: string | null;
  /** The id of the payment, if the change charges a difference. */
  readonly paymentId: string;
  /** An earlier run of this request may have written the payment. */
  readonly isRerun: boolean;
}

/**
 * Changes the plan of a subscription. An upgrade at once charges the difference first; if the charge is refused,
 * nothing changes. If the acquirer does not answer, the plan changes when the reconciler finds that the charge was
 * approved. Refusals: `not_found`, `plan_change_in_progress`, `preview_not_valid`, `wrong_state`, the fields, the
 * charge (`payment`).
 */
export async function changePlan<Answer>(
  deps: Deps,
  merchant: Merchant,
  request: PlanChange,
  finish: Finish<MadePlanChange, Answer>,
): Promise<Answer> {
  return runOrResume({
    isRerun: request.isRerun,
    resume: async () => {
      const settled = await resumeUpgrade(deps, merchant, request, finish);
      return settled && { answer: answerOf(settled) };
    },
    begin: () => begin(deps, merchant, request, finish),
    send: async (begun) => {
      if (begun.charge === null) return begun.answer;
      const { charge, changed } = begun;
      const settled = await runOperation(deps, merchant, charge, (tx, payment) =>
        finishUpgrade({ tx, merchant }, payment, changed, finish),
      );
      return answerOf(settled);
    },
  });
}

/** A change that is made: with its answer, or with a charge that is not sent yet. */
type BegunChange<Answer> =
  | { readonly charge: BegunOperation; readonly changed: ChangedPlan }
  | { readonly charge: null; readonly answer: Answer };

async function begin<Answer>(
  deps: Deps,
  merchant: Merchant,
  request: PlanChange,
  finish: Finish<MadePlanChange, Answer>,
): Promise<BegunChange<Answer>> {
  const found = await findSubscription(deps.db, merchant, request.identifier);
  const offer = await findOffer(deps, merchant, request.offerId);
  const { effective } = request;
  const expected = quoteChange(deps, merchant, found, { plan: planOfOffer(offer), effective });
  const isUpgrade = effective === 'immediate' && expected.delta_centavos > 0;
  if (isUpgrade) requireAcquirer(deps, 'No plan can be changed at once');
  const means = isUpgrade ? await readMeans(deps, merchant, found) : null;
  return deps.db.transaction(merchant, async (tx) => {
    const plan = planOfOffer(requireRow(await lockOfferForSale(tx, merchant, offer.id)));
    const subscription = requireRow(await lockSubscription(tx, merchant, found.id));
    const quote = quoteChange(deps, merchant, subscription, { plan, effective });
    await checkPreview({ deps, tx, merchant }, subscription, request, {
      offerId: offer.id,
      plan,
      effective,
      quote,
    });
    const changed = changedPlan(subscription, plan, effective, quote);
    const charge = await write({ deps, tx, merchant }, subscription, {
      ...changed,
      paymentId: request.paymentId,
      means: hasSameMeans(found, subscription) ? means : null,
    });
    if (charge !== null) return { charge, changed };
    return { charge, answer: await finish(tx, { ...changed, prorationPaymentId: null, isPending: false }) };
  });
}

async function readMeans(deps: Deps, merchant: Merchant, subscription: Subscription): Promise<ChargeMeans> {
  try {
    return await prepareCharge(deps, merchant, subscription);
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause;
    const fields = { subscription_id: subscription.id, merchant_id: merchant.merchantId, err: cause };
    deps.log.error(fields, 'the means of payment of a subscription cannot be read');
    throw invalid({ payment: 'The payment method of the subscription cannot be charged. Replace it first.' });
  }
}

/** A change that was checked. */
interface CheckedChange extends ChangedPlan {
  /** The id of the payment of an upgrade. */
  readonly paymentId: string;
  /** By which an upgrade is charged; null if they were replaced since they were read. */
  readonly means: ChargeMeans | null;
}

/** Changes the plan, or begins the charge of an upgrade. */
async function write(
  context: TransactionContext,
  subscription: Subscription,
  { paymentId, plan, effective, delta_centavos, means }: CheckedChange,
): Promise<BegunOperation | null> {
  if (effective === 'next_cycle' || delta_centavos <= 0) {
    const changed = change(subscription.billing, plan, effective, { delta_centavos });
    await moveSubscription(context, subscription, changed, { at: now(context.deps, context.merchant) });
    return null;
  }
  if (means === null) throw changedMeanwhile();
  return beginUpgrade(context, subscription, { paymentId, plan, amount_centavos: delta_centavos }, means);
}

/** The price or the card has changed since it was read before the transaction. */
function changedMeanwhile(): Refusal {
  return new Refusal('unavailable', {
    message: 'The subscription was changed at the same time. Try again.',
    retryAfter_s: 1,
  });
}

async function checkPreview(
  { deps, tx, merchant }: TransactionContext,
  { id: subscriptionId }: Subscription,
  { previewId }: PlanChange,
  wanted: PreviewedChange,
): Promise<void> {
  if (previewId === null) return;
  const preview = await findPlanPreview(tx, merchant, { id: previewId, subscriptionId });
  if (preview === undefined) throw invalid({ previewId: 'This subscription has no such preview.' });
  const problem = previewProblem(preview, wanted, now(deps, merchant));
  if (problem !== null) {
    throw new Refusal('preview_not_valid', { message: `${PREVIEW_PROBLEMS[problem]} Request a new one.` });
  }
}

const PREVIEW_PROBLEMS = {
  expired: 'The preview is older than 15 minutes.',
  other_request: 'The preview is for another offer, or for another time of the change.',
  other_figures: 'The figures of the preview have changed.',
} as const;
