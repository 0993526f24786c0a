import type { Tx } from '../db/database.ts';
import { postponeOperation } from '../db/open-operations.ts';
import type { PaymentOperation } from '../db/payment-operations.ts';
import { findPayment, lockPayment } from '../db/payments.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Payment } from '../domain/payment.ts';
import { mayMove } from '../domain/payment-transitions.ts';
import { cardRefusal } from '../domain/refusal-reasons.ts';
import type { InquiryOutcome } from '../gateway/acquirer.ts';
import { type Deps, type Finish, now } from './deps.ts';
import { movePayment } from './move-payment.ts';
import { RECOVERY_POINTS } from './recovery-points.ts';
import { stillThere } from './refusal.ts';
import { type FinalOutcome, settleOperation } from './settle-operation.ts';

/**
 * How long after its intent an operation may still be under way in the request that wrote it: longer than that
 * request may wait for the acquirer. Only then does the reconciler ask.
 */
export const OPERATION_GRACE_MS = 20_000;
/** After a call that brought no answer the reconciler asks soon. */
const RECHECK_UNKNOWN_MS = 1_000;
/** What the acquirer is working on comes by notification; asking is the second net. */
const RECHECK_PENDING_MS = 30_000;

/** The first look of the reconciler at an intent written now (wall time). */
export function firstCheckAt(deps: Deps): Date {
  return new Date(deps.wall().getTime() + OPERATION_GRACE_MS);
}

/**
 * Calls the acquirer for an intent that is committed, and writes what came of it together with the idempotent
 * answer. No transaction is open and no lock is held during the call.
 */
export async function runOperation<Answer>(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
  call: () => Promise<InquiryOutcome>,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  deps.reached(RECOVERY_POINTS.intentCommitted);
  const outcome = await call();
  deps.reached(RECOVERY_POINTS.acquirerAnswered);
  const answer = await deps.db.transaction(merchant, async (tx) =>
    finish(tx, await writeOutcome(deps, tx, merchant, operation, outcome)),
  );
  deps.reached(RECOVERY_POINTS.outcomeCommitted);
  return answer;
}

/**
 * Asks the acquirer what became of an open operation and settles it. What the acquirer never saw is sealed there, so
 * that it cannot happen later, and counts as refused. An operation that is settled is left as it is.
 */
export async function resumeOperation<Answer>(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  if (operation.state !== 'pending') {
    return deps.db.transaction(merchant, async (tx) =>
      finish(tx, stillThere(await findPayment(tx, merchant, operation.paymentId))),
    );
  }
  const { reference } = operation;
  const inquire = () => deps.acquirer.inquire({ reference, account: merchant.merchantId, seal: true });
  return runOperation(deps, merchant, operation, inquire, finish);
}

async function writeOutcome(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  operation: PaymentOperation,
  outcome: InquiryOutcome,
): Promise<Payment> {
  const final = finalOutcome(outcome);
  if (final !== undefined) return settleOperation(deps, tx, merchant, operation, final);
  const wait_ms =
    outcome.kind === 'pending'
      ? RECHECK_PENDING_MS
      : RECHECK_UNKNOWN_MS * 2 ** Math.min(operation.attempts, 6);
  const payment = stillThere(await lockPayment(tx, merchant, operation.paymentId));
  const checkAt = new Date(deps.wall().getTime() + wait_ms);
  // A notification that overtook this answer has settled it: the payment stands where that led.
  if (!(await postponeOperation(tx, merchant, operation.id, checkAt))) return payment;
  return loseSight(deps, tx, merchant, operation, payment);
}

function finalOutcome(outcome: InquiryOutcome): FinalOutcome | undefined {
  if (outcome.kind === 'approved' || outcome.kind === 'refused') return outcome;
  if (outcome.kind === 'not_found') return { kind: 'refused', refusal: cardRefusal('processing_error') };
  return undefined;
}

/** A payment whose capture or cancellation is open shows `processing`; a refund has a status of its own. */
async function loseSight(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  operation: PaymentOperation,
  payment: Payment,
): Promise<Payment> {
  const isMove = operation.kind === 'capture' || operation.kind === 'cancel';
  if (!isMove || !mayMove('lose_sight', payment.status)) return payment;
  return movePayment(deps, tx, merchant, payment, 'lose_sight', { at: now(deps, merchant) });
}
