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
import type { Judged } from './apply-report.ts';
import { logDiscrepancy } from './record-discrepancy.ts';
import { closeGapsOf } from './settlement-gaps.ts';

/** After this time, an acquirer that does not answer is not asked any more. A person looks into the discrepancy. */
const LONGEST_MS = 7 * DAY_MS;

/**
 * Asks the acquirer about the payment of a settlement line that the ledger does not have, because the notification of a
 * paid charge or of a dispute can be lost for ever. The answer passes the same checks as a notification. Closes the
 * discrepancies about the payment on which the files and the ledger then agree. Returns false without an answer: the
 * discrepancy is claimed again when its lease ends.
 */
export async function inquireDifference(deps: Deps, difference: DifferenceToInquire): Promise<boolean> {
  const merchant = await findMerchant(deps.db, difference);
  if (merchant === undefined) return true;
  const payment = await paymentOf(deps, merchant, difference.reference);
  const isOver = deps.wall().getTime() - difference.createdAt.getTime() > LONGEST_MS;
  if (payment === undefined || isOver) {
    await endInquiries(deps.db, merchant, difference.id);
    return true;
  }
  const { reference } = payment;
  const outcome = await deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: false });
  if (outcome.kind === 'unknown') return false;
  let judged: readonly Judged[] = [];
  let closed = 0;
  await deps.db.transaction(merchant, async (tx) => {
    const context = { deps, tx, merchant };
    judged = await applyAnswer(context, payment, outcome);
    closed = await closeGapsOf(tx, merchant, await referencesOf(context, payment), deps.wall());
    await endInquiries(tx, merchant, difference.id);
  });
  for (const { found } of judged) logDiscrepancy(deps, found);
  const isApplied = judged.some(({ verdict }) => verdict.verdict === 'apply');
  const fields = { merchant_id: merchant.merchantId, payment_id: payment.id, discrepancies_closed: closed };
  if (isApplied)
    deps.log.info(fields, 'an inquiry about a settlement line found a change that was not notified');
  return true;
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

async function applyAnswer(
  context: TransactionContext,
  { id }: Payment,
  outcome: InquiryOutcome,
): Promise<readonly Judged[]> {
  const { tx, merchant } = context;
  const payment = await lockPayment(tx, merchant, id);
  // The sandbox was reset.
  if (payment === undefined) return [];
  const operation = requireRow(await findFirstOperation(tx, merchant, id));
  // The reconciler asks about an operation without an outcome. Only its inquiry makes `not_found` final.
  if (operation.state === 'pending' || outcome.kind === 'not_found') return [];
  const judged = await applyInquiry(context, { payment, operation }, outcome);
  if (judged === undefined || judged.verdict.verdict === 'discrepancy') return judged ? [judged] : [];
  return [judged, ...(await applyInquiredDisputes(context, judged, outcome))];
}

async function referencesOf({ tx, merchant }: TransactionContext, payment: Payment): Promise<string[]> {
  const refunds = await refundsOfPayments(tx, merchant, [payment.id]);
  return [payment.reference, ...refunds.map(({ reference }) => reference)];
}
