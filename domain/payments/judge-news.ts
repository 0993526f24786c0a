import { mayAddUpTo } from '../sums.ts';
import {
  APPLY,
  discrepancy,
  KNOWN,
  MOVE_OF_NEWS,
  type NewsName,
  namesMethod,
  type OperationOnRecord,
  type PaymentNews,
  type PaymentOnRecord,
  type Verdict,
} from './acquirer-report.ts';
import { transferId } from './methods/index.ts';
import { mayMove } from './payment-moves.ts';
import { isFirstOperation } from './payment-operation.ts';

/** What `judgeNews` needs to know in addition to the payment and the operation. */
export interface NewsContext {
  /** Whether an authorization, charge, capture or cancellation has no outcome yet. */
  readonly hasOpenOperation: boolean;
  /** The amount of each refund of the payment, whatever its status. */
  readonly refunds_centavos: readonly number[];
}

/**
 * Compares news of a payment with our records: method, amount and the legal moves. `operation` has the reference of the
 * report, and must be the payment's authorization or charge.
 */
export function judgeNews(
  report: PaymentNews,
  payment: PaymentOnRecord,
  operation: OperationOnRecord,
  context: NewsContext,
): Verdict {
  if (!namesMethod(report, payment)) return discrepancy('method_mismatch');
  if (!isFirstOperation(operation.kind)) return discrepancy('operation_mismatch');
  if (report.amount_centavos === null) return discrepancy('amount_missing');
  if (!namesAmount(report, payment, context)) return discrepancy('amount_mismatch');
  if (report.news === 'charge_paid' && isOtherTransfer(report, payment)) return discrepancy('paid_twice');
  if (isKnown(report, payment)) return KNOWN;
  if (mayMove(payment, MOVE_OF_NEWS[report.news])) return APPLY;
  if (context.hasOpenOperation || payment.status === 'processing' || payment.status === 'scheduled') {
    return { verdict: 'wait', hasTimeLimit: false };
  }
  if (mayBeEarly(report.news, payment)) return { verdict: 'wait', hasTimeLimit: true };
  return discrepancy('illegal_move');
}

/**
 * The amount of a chargeback is the captured amount, less the refunds that the acquirer had recorded by then. We do not
 * know which these are, because reports can be late. So any subset of the refunds is accepted. All other news has the
 * amount of the payment.
 */
function namesAmount(report: PaymentNews, payment: PaymentOnRecord, context: NewsContext): boolean {
  const amount_centavos = report.amount_centavos!;
  if (!isChargeback(report.news)) return amount_centavos === payment.amount_centavos;
  if (amount_centavos === 0) return false;
  // A payment that was never captured has no amount to compare. Its status decides.
  if (payment.captured_centavos === 0) return amount_centavos <= payment.amount_centavos;
  return mayAddUpTo(payment.captured_centavos - amount_centavos, context.refunds_centavos);
}

function isOtherTransfer(report: PaymentNews, payment: PaymentOnRecord): boolean {
  const known = transferId(payment);
  return known !== null && report.endToEndId !== null && known !== report.endToEndId;
}

/** Whether the news changes nothing: it was reported before, or later news arrived first. */
function isKnown({ news, occurredAt }: PaymentNews, payment: PaymentOnRecord): boolean {
  const { status } = payment;
  const isDisputed = status.startsWith('chargeback_');
  switch (news) {
    case 'charge_paid':
      return payment.captured_centavos > 0;
    case 'charge_refused':
      // A charge that expired by our clock may have been refused at the acquirer before. No money moves either way.
      return status === 'refused' || status === 'expired';
    case 'charge_expired':
      return status === 'expired';
    case 'fraud_detected':
      return payment.refusal?.code === 'fraud';
    case 'voided':
      return status === 'canceled';
    case 'chargeback_requested':
      // After a dispute has ended, a copy of its request changes nothing. A later request is a new dispute.
      return isDisputed || isBeforeDisputeEnded(occurredAt, payment);
    case 'chargeback_dispute':
      return status === 'chargeback_lost' || (!isDisputed && wasDisputed(payment));
    case 'chargeback_won':
      return !isDisputed && wasDisputed(payment);
    case 'chargeback_lost':
      return status === 'chargeback_lost';
  }
}

/** Whether an earlier report may still be missing: the request of a dispute, or the payment of a Pix. */
function mayBeEarly(news: NewsName, payment: PaymentOnRecord): boolean {
  if (!isChargeback(news)) return false;
  if (payment.captured_centavos > 0) return !wasDisputed(payment);
  return payment.status === 'waiting_payment' || payment.status === 'expired';
}

function isChargeback(news: NewsName): boolean {
  return news.startsWith('chargeback_');
}

function wasDisputed({ history }: PaymentOnRecord): boolean {
  return history.some((step) => step.status === 'chargeback_requested');
}

/** Whether a time is not after the end of the payment's last dispute. False without a dispute, or during one. */
function isBeforeDisputeEnded(at: Date, { history }: PaymentOnRecord): boolean {
  const last = history.findLastIndex((step) => step.status.startsWith('chargeback_'));
  const end = last === -1 ? undefined : history[last + 1];
  return end !== undefined && at <= end.at;
}
