import { findFirstOperation } from '../../db/payments/payment-operations.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { NOT_RECEIVED } from '../../domain/payments/payment-operation.ts';
import { upcomingCycle } from '../../domain/subscriptions/engine/upcoming-cycle.ts';
import type { Deps, Finish, TransactionContext } from '../deps.ts';
import { resumeOperation } from '../payments/run-operation.ts';
import { invalid, type Refusal, requireRow } from '../refusal.ts';
import { findSubscription } from './find-subscription.ts';
import type { ChangedPlan, PlanChangeRequest } from './plan-change-request.ts';

/** A change that is made, or one whose charge has no outcome yet. */
export interface MadePlanChange extends ChangedPlan {
  /** Null if the change charges nothing now. */
  readonly prorationPaymentId: string | null;
  readonly isPending: boolean;
}

/** What is committed with the outcome of the charge: the answer, or the refusal to throw after the commit. */
export type Settled<Answer> = { readonly answer: Answer } | { readonly refusal: Refusal };

/** The answer to an upgrade whose charge was sent, or why the charge was not made. */
export async function finishUpgrade<Answer>(
  { tx, merchant }: Pick<TransactionContext, 'tx' | 'merchant'>,
  payment: Payment,
  changed: ChangedPlan,
  finish: Finish<MadePlanChange, Answer>,
): Promise<Settled<Answer>> {
  const isPending = payment.status === 'processing';
  if (!isPending && payment.captured_centavos === 0) {
    const operation = await findFirstOperation(tx, merchant, payment.id);
    return { refusal: operation?.refusalCode === NOT_RECEIVED ? notReceived() : chargeRefused(payment) };
  }
  return { answer: await finish(tx, { ...changed, prorationPaymentId: payment.id, isPending }) };
}

/** The answer, after the commit. Throws the refusal of the charge. */
export function answerOf<Answer>(settled: Settled<Answer>): Answer {
  if ('refusal' in settled) throw settled.refusal;
  return settled.answer;
}

function chargeRefused({ refusal }: Payment): Refusal {
  const reason = refusal === null ? '' : ` (${refusal.code})`;
  return invalid({ payment: `The charge of the difference was refused${reason}. The plan has not changed.` });
}

function notReceived(): Refusal {
  return invalid({
    payment:
      'The charge of the difference did not reach the acquirer, and the plan has not changed. Make a new request for it.',
  });
}

/** Settles the upgrade that an earlier run of this request has begun. Undefined if it has begun none. */
export async function resumeUpgrade<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, paymentId, effective }: PlanChangeRequest & { readonly paymentId: string },
  finish: Finish<MadePlanChange, Answer>,
): Promise<Settled<Answer> | undefined> {
  const operation = await findFirstOperation(deps.db, merchant, paymentId);
  if (operation === undefined) return undefined;
  const { id } = await findSubscription(deps.db, merchant, identifier);
  return resumeOperation(deps, merchant, operation, async (tx, payment) => {
    const subscription = requireRow(await lockSubscription(tx, merchant, id));
    const { billing, pendingUpgrade } = subscription;
    const plan = pendingUpgrade?.plan ?? billing.plan;
    const upcoming = upcomingCycle({ ...billing, pendingPlan: plan });
    const changed: ChangedPlan = {
      subscriptionId: id,
      plan,
      effective,
      delta_centavos: payment.amount_centavos,
      nextChargeOn: upcoming?.billingDate ?? null,
      nextChargeAmount_centavos: upcoming?.amount_centavos ?? null,
    };
    return finishUpgrade({ tx, merchant }, payment, changed, finish);
  });
}
