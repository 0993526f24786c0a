import type { Tx } from '../../db/engine/database.ts';
import { postponeOperation } from '../../db/payments/open-operations.ts';
import { findOperation } from '../../db/payments/payment-operations.ts';
import { findPayment, lockPayment } from '../../db/payments/payments.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { type Merchant, mayCharge } from '../../domain/merchants/merchant.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import { inquiryPause_ms } from '../../domain/payments/inquiry-schedule.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove, type PaymentMove } from '../../domain/payments/payment-moves.ts';
import {
  isModification,
  type ModificationKind,
  type PaymentOperation,
} from '../../domain/payments/payment-operation.ts';
import type { InquiryOutcome, PaymentCommand } from '../../gateway/acquirer.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { RECOVERY_POINTS } from '../recovery-points.ts';
import { requireRow } from '../refusal.ts';
import { applyResult, type JudgedReport, type Subject } from './apply-report.ts';
import { modifyCommand } from './modify-command.ts';
import { movePayment } from './move-payment.ts';
import { receivedOutcome } from './received-report.ts';
import { logDiscrepancy } from './record-discrepancy.ts';

/**
 * How long the reconciler leaves a new operation to the request that wrote it. Longer than the request waits for the
 * acquirer.
 */
export const OPERATION_GRACE_MS = 20_000;
/**
 * The pause before the next inquiry about an operation, if the acquirer's last report contradicted our records. A
 * person has to look into it.
 */
const RECHECK_DISCREPANCY_MS = HOUR_MS;

/** When the reconciler first asks about an operation written now (wall time). */
export function firstCheckAt(deps: Deps): Date {
  return new Date(deps.wall().getTime() + OPERATION_GRACE_MS);
}

/**
 * How long after its request a capture, a cancellation or a refund that the acquirer has not received is still sent
 * (merchant's time).
 */
const RESEND_MS = HOUR_MS;

/** An operation that is written, with the command that is sent for it after the commit. */
export interface BegunOperation {
  readonly operation: PaymentOperation;
  readonly command: PaymentCommand;
}

/**
 * Sends the command of a committed operation to the acquirer, and writes the outcome together with the idempotent
 * answer. No transaction is open and no lock is held during the call.
 */
export async function runOperation<Answer>(
  deps: Deps,
  merchant: Merchant,
  begun: BegunOperation,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  const call = () => sendOperation(deps, merchant, begun);
  return settleByOutcome(deps, merchant, begun.operation, { call, finish });
}

/**
 * Sends a command. A modification that arrives after the reconciler has sealed its reference is refused, although the
 * acquirer has not refused the modification itself. So it is asked for the outcome if the reconciler has claimed the
 * operation, which counts an attempt before any seal.
 */
export async function sendOperation(
  deps: Deps,
  merchant: Merchant,
  { operation, command }: BegunOperation,
): Promise<AcquirerReply> {
  const outcome = await deps.acquirer.perform(command);
  if (outcome.kind !== 'refused' || !isModification(operation)) return answerTo(outcome);
  const { attempts } = requireRow(await findOperation(deps.db, merchant, operation.id));
  return attempts === 0 ? answerTo(outcome) : askFor(deps, command, true);
}

/** What the acquirer says about an operation, in the answer to its command or to an inquiry. */
export interface AcquirerReply {
  readonly source: 'answer' | 'inquiry';
  readonly outcome: InquiryOutcome;
}

const answerTo = (outcome: InquiryOutcome): AcquirerReply => ({ source: 'answer', outcome });

/** Asks for the outcome of an operation. */
async function askFor(
  { acquirer }: Deps,
  { reference, account }: Pick<PaymentCommand, 'reference' | 'account'>,
  seal: boolean,
): Promise<AcquirerReply> {
  return { source: 'inquiry', outcome: await acquirer.inquire({ reference, account, seal }) };
}

/** How the acquirer is asked for an outcome, and what is written with it. */
interface Asked<Answer> {
  readonly call: () => Promise<AcquirerReply>;
  readonly finish: Finish<Payment, Answer>;
}

async function settleByOutcome<Answer>(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
  { call, finish }: Asked<Answer>,
): Promise<Answer> {
  deps.reached(RECOVERY_POINTS.intentCommitted);
  const reply = await call();
  deps.reached(RECOVERY_POINTS.acquirerAnswered);
  let found: Discrepancy | undefined;
  const answer = await deps.db.transaction(merchant, async (tx) => {
    const written = await writeOutcome({ deps, tx, merchant }, operation, reply);
    found = written.found;
    return finish(tx, written.payment);
  });
  logDiscrepancy(deps, found);
  deps.reached(RECOVERY_POINTS.outcomeCommitted);
  return answer;
}

/**
 * Asks the acquirer for the outcome of an open operation, and settles the operation by it. A modification that the
 * acquirer has not received is sent again. Any other operation then counts as refused. A settled operation is not
 * changed.
 */
export async function resumeOperation<Answer>(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
  finish: Finish<Payment, Answer>,
): Promise<Answer> {
  if (operation.state !== 'pending') {
    return deps.db.transaction(merchant, async (tx) =>
      finish(tx, requireRow(await findPayment(tx, merchant, operation.paymentId))),
    );
  }
  const call = () => askOrSend(deps, merchant, operation);
  return settleByOutcome(deps, merchant, operation, { call, finish });
}

/**
 * A modification that the acquirer has not received is sent under the same reference, so it is carried out once, even
 * if another process sends it at the same time. If it is not carried out then, or if it may not be sent any more, the
 * acquirer refuses the reference from now on (`seal`), even if a command is still on its way. The answer to that also
 * shows whether the acquirer refused the command itself, or only its reference, because of an earlier seal whose answer
 * was lost.
 */
async function askOrSend(
  deps: Deps,
  merchant: Merchant,
  operation: PaymentOperation,
): Promise<AcquirerReply> {
  const { reference } = operation;
  const ask = (seal: boolean) => askFor(deps, { reference, account: merchant.merchantId }, seal);
  const at = now(deps, merchant);
  if (!isModification(operation) || !maySendAgain(merchant, operation, at)) return ask(true);
  const reply = await ask(false);
  if (reply.outcome.kind !== 'not_found') return reply;
  const payment = requireRow(await findPayment(deps.db, merchant, operation.paymentId));
  const move = STILL_ALLOWED[operation.kind];
  if (move !== null && !mayMove(payment, move)) return ask(true);
  const command = { ...modifyCommand(merchant, payment, operation), requestedAt: at };
  const outcome = await deps.acquirer.perform(command);
  const isCarriedOut = outcome.kind === 'approved' || outcome.kind === 'pending';
  return isCarriedOut ? answerTo(outcome) : ask(true);
}

/**
 * The moves that a payment must still allow before a modification is sent again. Since the request, a notification may
 * have ended the payment or opened a dispute.
 */
const STILL_ALLOWED = {
  capture: 'capture',
  cancel: 'cancel',
  refund: 'request_refund',
  cancel_mandate: null,
} as const satisfies Record<ModificationKind, PaymentMove | null>;

function maySendAgain(merchant: Merchant, { kind, createdAt }: PaymentOperation, at: Date): boolean {
  if (kind === 'capture' && !mayCharge(merchant)) return false;
  return at.getTime() - createdAt.getTime() < RESEND_MS;
}

/**
 * Writes the outcome of an operation, in transaction B. Returns the payment after it, and the discrepancy if a new one
 * was found. The caller logs it after the commit.
 */
export async function writeOutcome(
  context: TransactionContext,
  asked: PaymentOperation,
  { source, outcome }: AcquirerReply,
): Promise<{ payment: Payment; found?: Discrepancy | undefined }> {
  const { deps, tx, merchant } = context;
  const { payment, operation } = await lockSubject(tx, merchant, asked);
  const received = receivedOutcome(operation, source, outcome);
  const judged = received && (await applyResult(context, { payment, operation }, received));
  const isAccepted = judged !== undefined && judged.verdict.verdict !== 'discrepancy';
  if (isAccepted && received?.outcome !== undefined) return judged;
  const checkAt = new Date(deps.wall().getTime() + recheckAfter_ms(operation, outcome, judged));
  // False if a notification has settled the operation before this answer.
  if (!(await postponeOperation(tx, merchant, operation.id, checkAt))) return { payment, ...judged };
  return { ...judged, payment: await markUnknown(context, payment) };
}

/**
 * Locks the payment and then reads the operation, which a notification may have settled. Both are sent in one write.
 */
async function lockSubject(tx: Tx, merchant: Merchant, asked: PaymentOperation): Promise<Subject> {
  const [payment, operation] = await Promise.all([
    lockPayment(tx, merchant, asked.paymentId),
    findOperation(tx, merchant, asked.id),
  ]);
  return { payment: requireRow(payment), operation: requireRow(operation) };
}

function recheckAfter_ms(
  operation: PaymentOperation,
  outcome: InquiryOutcome,
  judged?: JudgedReport,
): number {
  const isWorking = outcome.kind === 'pending';
  const isKnownDiscrepancy = judged?.verdict.verdict === 'discrepancy' && judged.found === undefined;
  if (isKnownDiscrepancy && !isWorking) return RECHECK_DISCREPANCY_MS;
  const { kind, attempts } = operation;
  return inquiryPause_ms(isWorking ? 'working' : 'unknown', { isRefund: kind === 'refund', attempts });
}

const MARKS = ['mark_capture_unknown', 'mark_void_unknown', 'mark_cancel_unknown'] as const;

/**
 * Records that a requested capture, void or cancellation has no outcome yet: the payment then shows `processing`. A new
 * payment has this status already, and a refund has its own status.
 */
async function markUnknown(context: TransactionContext, payment: Payment): Promise<Payment> {
  const move = MARKS.find((each) => mayMove(payment, each));
  if (move === undefined) return payment;
  const at = now(context.deps, context.merchant);
  return movePayment(context, payment, { by: 'acquirer', at }, { move });
}
