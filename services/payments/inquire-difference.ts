import { findMerchant } from '../../db/merchants/merchants.ts';
import { type DifferenceToInquire, endInquiries } from '../../db/payments/differences-to-inquire.ts';
import { findFirstOperation, findOperationByReference } from '../../db/payments/payment-operations.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import { refundsOfPayments } from '../../db/payments/refunds.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { applyInquiredDisputes, applyInquiry } from './apply-inquiry.ts';
import type { JudgedReport } from './apply-report.ts';
import { logDiscrepancy } from './record-discrepancy.ts';
import { closeGapsOf } from './settlement-gaps.ts';

/** The acquirer is not asked again so long after the first time. A person looks into the discrepancy. */
const LONGEST_MS = 7 * DAY_MS;

/**
 * Asks the acquirer about the payment of a settlement line that the ledger does not have, because the notification of a
 * paid charge or of a dispute can be lost for ever. The answer passes the same checks as a notification. Closes the
 * discrepancies about the payment on which the files and the ledger then agree. Without an answer, or if it leaves
 * something open, the discrepancy is claimed again when its lease ends. Returns false without an answer.
 */
export async function inquireDifference(deps: Deps, difference: DifferenceToInquire): Promise<boolean> {
  const merchant = await findMerchant(deps.db, difference);
  if (merchant === undefined) return true;
  const payment = await paymentOf(deps, merchant, difference.reference);
  const waited_ms = deps.wall().getTime() - difference.firstInquiredAt.getTime();
  const isOver = waited_ms > LONGEST_MS;
  if (payment === undefined || isOver) {
    await endInquiries(deps.db, merchant, difference.id);
    if (payment !== undefined) logGivenUp(deps, difference, payment);
    return true;
  }
  const { reference } = payment;
  const outcome = await deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: false });
  if (outcome.kind === 'unknown') return false;
  let applied: AppliedAnswer = NOTHING;
  let closed = 0;
  await deps.db.transaction(merchant, async (tx) => {
    const context = { deps, tx, merchant };
    applied = await applyAnswer(context, payment, outcome, waited_ms);
    closed = await closeGapsOf(tx, merchant, await referencesOf(context, payment), deps.wall());
    if (!applied.isLeftOpen) await endInquiries(tx, merchant, difference.id);
  });
  for (const { found } of applied.judged) logDiscrepancy(deps, found);
  const isApplied = applied.judged.some(({ verdict }) => verdict.verdict === 'apply');
  const fields = { merchant_id: merchant.merchantId, payment_id: payment.id, discrepancies_closed: closed };
  if (isApplied)
    deps.log.info(fields, 'an inquiry about a settlement line found a change that was not notified');
  return true;
}

function logGivenUp({ log }: Deps, { id, merchantId }: DifferenceToInquire, payment: Payment): void {
  const fields = { merchant_id: merchantId, payment_id: payment.id, discrepancy_id: id };
  log.warn(fields, 'the acquirer is not asked about a settlement line any more');
}

/** The payment that a line names by its own reference or by that of a refund; undefined for one of another merchant. */
async function paymentOf(
  { db }: Pick<Deps, 'db'>,
  merchant: Merchant,
  reference: string,
): Promise<Payment | undefined> {
  const found = await findOperationByReference(db, merchant.slot, reference);
  return found && findPayment(db, merchant, found.operation.paymentId);
}

/** `isLeftOpen`: another answer can say more. */
interface AppliedAnswer {
  readonly judged: readonly JudgedReport[];
  readonly isLeftOpen: boolean;
}

const NOTHING: AppliedAnswer = { judged: [], isLeftOpen: false };

async function applyAnswer(
  context: TransactionContext,
  { id }: Payment,
  outcome: InquiryOutcome,
  waited_ms: number,
): Promise<AppliedAnswer> {
  const { tx, merchant } = context;
  const payment = await lockPayment(tx, merchant, id);
  // The sandbox was reset.
  if (payment === undefined) return NOTHING;
  const operation = requireRow(await findFirstOperation(tx, merchant, id));
  // The reconciler asks about an operation without an outcome. Only its inquiry makes `not_found` final.
  if (operation.state === 'pending') return { judged: [], isLeftOpen: true };
  if (outcome.kind === 'not_found') return NOTHING;
  const first = await applyInquiry(context, { payment, operation }, outcome, waited_ms);
  if (first === undefined) return NOTHING;
  const judged = [first];
  if (first.verdict.verdict === 'apply' || first.verdict.verdict === 'known') {
    judged.push(...(await applyInquiredDisputes(context, first, outcome, waited_ms)));
  }
  const isWaiting = judged.some(({ verdict }) => verdict.verdict === 'wait');
  return { judged, isLeftOpen: isWaiting || isUnreadable(outcome) };
}

function isUnreadable(outcome: InquiryOutcome): boolean {
  if (outcome.kind !== 'approved') return false;
  return outcome.charge?.state === 'unreadable' || outcome.areDisputesCut === true;
}

async function referencesOf({ tx, merchant }: TransactionContext, payment: Payment): Promise<string[]> {
  const refunds = await refundsOfPayments(tx, merchant, [payment.id]);
  return [payment.reference, ...refunds.map(({ reference }) => reference)];
}
