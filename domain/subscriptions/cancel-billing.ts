import { addDays } from '../business-days.ts';
import { merchantDay } from '../local-time.ts';
import { type Billing, type OpenCycle, waitsForPayer } from './billing.ts';
import { cycleDate, stepTime } from './billing-dates.ts';
import { afterOutcome } from './engine/attempt.ts';
import { type BillingChange, changeOf, makeMoves, type WantedMove } from './engine/change.ts';
import { withoutOpenCycle } from './engine/voided-cycle.ts';
import { canceledMandate, withdrawalDeadline } from './mandate-terms.ts';
import { billingRules } from './methods/index.ts';
import { subscriptionMachine } from './subscription-moves.ts';

/** How long a subscription that is canceled with an overdue cycle can be reactivated. */
const OVERDUE_REACTIVATION_DAYS = 30;

/** Whether a subscription can be canceled. */
export function canCancel({ status }: Pick<Billing, 'status'>): boolean {
  return subscriptionMachine.allows('cancel', status);
}

/**
 * Cancels a subscription: no charge follows (contract rows 8.7 and 13.28). It ends with the paid period or with the
 * trial, or after 30 days if a cycle is overdue. A subscription that waits for its first payment ends at once.
 *
 * The open payment is withdrawn if `canWithdraw` allows it, and if the state of the payment does (`mayWithdraw`).
 * Otherwise its cycle stays open until the payment has an outcome.
 */
export function cancelBilling(
  billing: Billing,
  by: 'merchant' | 'acquirer',
  now: Date,
  mayWithdraw = true,
): BillingChange {
  const { method, openCycle, status } = billing;
  const cancel: WantedMove = { move: billingRules(method).needsMandate ? 'cancel_mandate' : 'cancel' };
  const endsNow = status === 'payment_pending';
  const isWithdrawn = mayWithdraw && openCycle?.attempt != null && canWithdraw(billing, openCycle, now);
  const isUnderWay = openCycle?.attempt != null && !isWithdrawn;
  const isVoided = openCycle !== null && !isUnderWay && (endsNow || !isOverdueCycle(openCycle, now));
  const canceled: Billing = {
    ...(isVoided ? withoutOpenCycle(billing) : billing),
    ...(openCycle !== null && !isVoided && { openCycle: stoppedCycle(openCycle, isUnderWay) }),
    pendingPlan: null,
    endsAt: endsNow ? now : endOfAccess(billing, isUnderWay, now),
    mandate: canceledMandate(billing.mandate),
  };
  return changeOf(canceled, {
    moves: makeMoves(status, by, endsNow ? [cancel, { move: 'end' }] : [cancel]),
    invoices: isVoided ? [{ cycle: openCycle.cycle, move: 'void', by }] : [],
    payment:
      isWithdrawn || hasMandatePayment(billing)
        ? { kind: 'withdraw', cycle: openCycle?.cycle ?? null }
        : null,
  });
}

function stoppedCycle(cycle: OpenCycle, isUnderWay: boolean): OpenCycle {
  return { ...cycle, attempt: isUnderWay ? cycle.attempt : null, next: null, giveUpOn: null };
}

function isOverdueCycle({ billingDate }: OpenCycle, now: Date): boolean {
  return billingDate <= merchantDay(now);
}

/** The outcome of a payment under way is known before the end: if it is paid, access lasts for its cycle. */
function endOfAccess(billing: Billing, isUnderWay: boolean, now: Date): Date {
  const end = endOfUse(billing, now);
  if (!isUnderWay) return end;
  const { method = billing.method, dueOn } = billing.openCycle!.attempt!;
  return afterOutcome(end, { method, dueOn });
}

function endOfUse(billing: Billing, now: Date): Date {
  const { openCycle } = billing;
  if (openCycle !== null && isOverdueCycle(openCycle, now)) {
    return stepTime(addDays(merchantDay(now), OVERDUE_REACTIVATION_DAYS));
  }
  return endOfPaidTime(billing);
}

/** The end of the paid period, or of the trial. */
export function endOfPaidTime({ openCycle, paidPeriod, schedule }: Billing): Date {
  return stepTime(paidPeriod?.end ?? openCycle?.billingDate ?? cycleDate(schedule, 1));
}

/**
 * When the paid access of a canceled subscription ends. Null if it is not canceled, or if it only waits for the outcome
 * of a charge or for a reactivation.
 */
export function endOfPaidAccess(billing: Billing): Date | null {
  const { endsAt } = billing;
  return endsAt !== null && endsAt <= endOfPaidTime(billing) ? endsAt : null;
}

/** Whether the payment of 0 is open by which the payer authorizes a mandate without paying. */
export function hasMandatePayment({ mandate, openCycle }: Billing): boolean {
  return mandate?.state === 'created' && openCycle === null;
}

/**
 * Whether the open payment can be withdrawn. A payment that is not sent always can. A boleto, a Pix and the first
 * charge of a mandate can until they are paid. A later charge of a mandate can until the deadline of the payer's bank.
 * A charge of a card cannot, because it is decided at once.
 */
export function canWithdraw(billing: Billing, { attempt }: OpenCycle, now: Date): boolean {
  if (attempt === null) return false;
  const { chargesAtOnce, needsMandate } = billingRules(attempt.method ?? billing.method);
  if (!attempt.isSent) return true;
  if (chargesAtOnce) return false;
  return !needsMandate || waitsForPayer(billing) || now < withdrawalDeadline(attempt.dueOn);
}
