import { isUniqueViolation } from '../../db/engine/unavailable.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { markProcessed, markWaiting, receiveNotification } from '../../db/payments/acquirer-notifications.ts';
import { findOperation, findOperationByReference } from '../../db/payments/payment-operations.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import { slotOfHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { reportOf } from '../../domain/payments/acquirer-notification.ts';
import { discrepancy, type OperationResult } from '../../domain/payments/acquirer-report.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { judgeResult } from '../../domain/payments/judge-result.ts';
import { awaitedCredential } from '../../domain/payments/methods/index.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { cardRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { AcquirerNotification, InquiryOutcome, ReceivedNotification } from '../../gateway/acquirer.ts';
import { applyCardUpdate } from '../cards/apply-card-update.ts';
import { recordClockStep } from '../clock-steps.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import { applyResult, applyUpdate, type JudgedReport, type Subject } from './apply-report.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { receivedOutcome, reportedBy } from './received-report.ts';
import { logDiscrepancy, recordDiscrepancy } from './record-discrepancy.ts';

export type { ReceivedNotification };

/**
 * applied: it changed something. known: it, or what it reports, arrived before. early: an earlier report is missing, so
 * the acquirer must send it again. discrepancy: it contradicts our records, and was recorded for a person to look into.
 * unknown: no operation of this account has its reference.
 */
export type Applied = 'applied' | 'known' | 'early' | 'discrepancy' | 'unknown';

/** Applies a notification of the acquirer once, in any order and however often it arrives. */
export function applyNotification(deps: Deps, notification: ReceivedNotification): Promise<Applied> {
  return notification.type === 'network_token.updated'
    ? applyCardUpdate(deps, notification)
    : applyPaymentNotification(deps, notification);
}

async function applyPaymentNotification(deps: Deps, notification: AcquirerNotification): Promise<Applied> {
  const slot = slotOfHash(notification.reference);
  const referenced =
    slot === null ? undefined : await findOperationByReference(deps.db, slot, notification.reference);
  if (referenced === undefined) {
    const { id, account, reference, type } = notification;
    deps.log.error(
      { notification_id: id, account, reference, type },
      'a notification carries an unknown reference',
    );
    return 'unknown';
  }
  const { scope, operation } = referenced;
  if (scope.merchantId !== notification.account) {
    const fields = { merchant_id: scope.merchantId, payment_id: operation.paymentId };
    deps.log.error(
      { ...fields, notification_id: notification.id, account: notification.account },
      'a notification names another account than its reference',
    );
    return 'unknown';
  }
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) return 'unknown';
  const inquired = await inquireAuthorization(deps, merchant, operation, notification);
  if (inquired?.kind === 'not_found') return 'early';
  const arrival = { notification, operation, inquired };
  let found: readonly Discrepancy[] = [];
  const apply = () =>
    deps.db.transaction(merchant, async (tx) => {
      const judged = await applyOnce({ deps, tx, merchant }, arrival);
      found = judged?.flatMap((one) => one.found ?? []) ?? [];
      return judged === undefined ? 'unknown' : appliedBy(judged);
    });
  const applied = await apply().catch((error: unknown) => {
    // A simultaneous notification about another payment has paid the same cycle, or names the same transfer. Now this
    // one is judged after it.
    if (isUniqueViolation(error)) return apply();
    throw error;
  });
  for (const one of found) logDiscrepancy(deps, one);
  return applied;
}

/**
 * Asks the acquirer for the result of an authorization whose approval was notified, because a notification has no
 * authorization code. If the answer differs from the notification, the answer is used. No row is locked during the
 * call, and only a notification that fits our records causes it. Without the answer, an approval that brings a
 * credential is not applied: it counts as not found, so that the acquirer sends the notification again.
 */
async function inquireAuthorization(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
  notification: AcquirerNotification,
): Promise<InquiryOutcome | undefined> {
  if (notification.type !== 'authorization.approved' || operation.state !== 'pending') return undefined;
  const payment = await findPayment(deps.db, merchant, operation.paymentId);
  const report = reportOf(notification, operation.kind) as OperationResult;
  if (payment === undefined || judgeResult(report, payment, operation).verdict !== 'apply') return undefined;
  const { reference, account } = notification;
  const outcome = await deps.acquirer.inquire({ reference, account, seal: false });
  const isFinal = outcome.kind === 'approved' || outcome.kind === 'refused';
  return isFinal || awaitedCredential(payment) === null ? outcome : { kind: 'not_found' };
}

/** A notification, the operation that it refers to, and the acquirer's answer to an inquiry about that operation. */
interface Arrival {
  readonly notification: AcquirerNotification;
  readonly operation: PaymentOperation;
  readonly inquired: InquiryOutcome | undefined;
}

/** Returns an empty list if the notification was received before, and undefined if its payment was deleted. */
async function applyOnce(
  context: TransactionContext,
  arrival: Arrival,
): Promise<readonly JudgedReport[] | undefined> {
  const { deps, tx, merchant } = context;
  const { id, type, reference } = arrival.notification;
  // Every writer of a payment locks it first. A reset of the sandbox relies on this order.
  const [payment, operation] = await Promise.all([
    lockPayment(tx, merchant, arrival.operation.paymentId),
    findOperation(tx, merchant, arrival.operation.id),
  ]);
  if (payment === undefined || operation === undefined) return undefined;
  const at = deps.wall();
  const receipt = await receiveNotification(tx, merchant, { id, type, reference, receivedAt: at });
  if (receipt === 'known') return [];
  if (receipt === 'reused') {
    return [await recordReusedId(context, { payment, operation }, arrival.notification)];
  }
  const { waitingSince } = receipt;
  const judged = await judge(context, { payment, operation }, arrival, waitingSince);
  const applied = appliedBy(judged);
  const waits = judged.some(({ verdict }) => verdict.verdict === 'wait' && verdict.limit_ms !== null);
  if (applied === 'early') await markWaiting(tx, merchant, { id, since: (waits && waitingSince) || at });
  else if (waitingSince !== null) await markProcessed(tx, merchant, { id, receivedAt: at });
  if (applied === 'applied') {
    const step = `acquirer_${type.replace('.', '_')}`;
    await recordClockStep(deps, tx, merchant, { step, objectId: payment.id });
  }
  return judged;
}

/** The acquirer gives each notification its own id. A second notification with the same id is a discrepancy. */
async function recordReusedId(
  context: TransactionContext,
  subject: Subject,
  notification: AcquirerNotification,
): Promise<JudgedReport> {
  const reason = 'notification_id_reused';
  const reported = reportedBy(notification);
  const key = `${reported.key} ${notification.type} ${notification.reference}`;
  const found = await recordDiscrepancy(context, reason, { ...reported, key }, subject);
  return { ...subject, verdict: discrepancy(reason), found };
}

async function judge(
  context: TransactionContext,
  subject: Subject,
  { notification, inquired }: Arrival,
  waitingSince: Date | null,
): Promise<readonly JudgedReport[]> {
  const { operation } = subject;
  const { refusal } = notification;
  const reported = reportedBy(notification);
  const report = reportOf(notification, operation.kind);
  if ('update' in report) {
    const waited_ms = waitingSince === null ? 0 : context.deps.wall().getTime() - waitingSince.getTime();
    return [await applyUpdate(context, subject, { report, refusal, reported, waited_ms })];
  }
  const outcome: FinalOutcome =
    report.result === 'approved'
      ? { kind: 'approved' }
      : { kind: 'refused', refusal: refusal ?? cardRefusal('processing_error') };
  const received = { report, outcome, reported };
  const answer = inquired && receivedOutcome(operation, 'inquiry', inquired);
  if (answer?.outcome === undefined) return [await applyResult(context, subject, received)];
  const byAnswer = await applyResult(context, subject, answer);
  if (byAnswer.verdict.verdict === 'discrepancy') return [byAnswer];
  return [byAnswer, await applyResult(context, byAnswer, received)];
}

function appliedBy(judged: readonly JudgedReport[]): Applied {
  const verdicts = judged.map(({ verdict }) => verdict.verdict);
  if (verdicts.includes('discrepancy')) return 'discrepancy';
  if (verdicts.includes('apply')) return 'applied';
  return verdicts.includes('wait') ? 'early' : 'known';
}
