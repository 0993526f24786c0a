import { recipientAccount } from '../ledger/account.ts';
import { receivablesOf } from '../ledger/receivables.ts';
import { type SplitLine, splitAmount } from '../ledger/split.ts';
import {
  type CapturedAmounts,
  type CaptureTerms,
  type Party,
  type Transfer,
  transfersOf,
} from '../ledger/transfers.ts';
import { merchantDay } from '../local-time.ts';
import type { FeeRates } from '../merchants/payment-methods.ts';
import { platformFee } from '../merchants/platform-fees.ts';
import { sumOf } from '../money.ts';
import { methodRules } from './methods/index.ts';
import { firstPaidAt, type Payment, type PaymentShare } from './payment.ts';
import { amountsOf } from './payment-amounts.ts';

const NOTHING: CapturedAmounts = {
  captured_centavos: 0,
  refunded_centavos: 0,
  disputed_centavos: 0,
  charged_back_centavos: 0,
};

/**
 * Adds to a payment, after the move that captured it, the fee, the day and the shares of the captured amount. They are
 * stored: a later change of the rates does not change old payments. A payment that was captured before payments had a
 * fee gets a fee of 0 with its next move.
 */
export function withCaptureTerms(
  before: Payment,
  moved: Payment,
  { at, fees }: { readonly at: Date; readonly fees: FeeRates },
): Payment {
  if (moved.captured_centavos === 0 || moved.capturedOn !== null) return moved;
  const isCapturedNow = before.captured_centavos === 0;
  const fee_centavos = isCapturedNow ? platformFee(fees[moved.method], moved.captured_centavos) : 0;
  const capturedAt = isCapturedNow ? at : (firstPaidAt(moved) ?? moved.updatedAt);
  const { shares } = splitAmount(moved.captured_centavos, fee_centavos, moved.split);
  return {
    ...moved,
    fee_centavos,
    capturedOn: merchantDay(capturedAt),
    split: moved.split.map((line, i) => ({ ...line, ...shares[i]! })),
  };
}

/** The transfers that follow from a change of a payment. */
export function transfersBetween(before: Payment, after: Payment): Transfer[] {
  const terms = termsOf(after);
  if (terms === null) return [];
  // Without a day, nothing was posted: the payment is captured now, or was captured before there was a ledger.
  const posted = before.capturedOn === null ? NOTHING : amountsOf(before);
  return transfersOf(terms, { before: posted, after: amountsOf(after) });
}

/** Who gets what of a captured payment, and when; null before its capture. */
function termsOf(payment: Payment): CaptureTerms | null {
  const { method, captured_centavos, installments, capturedOn, fee_centavos, split } = payment;
  if (capturedOn === null || fee_centavos === null) return null;
  const merchant: Party = {
    account: 'merchant',
    share_centavos: captured_centavos - sumOf(split.map(({ share_centavos }) => share_centavos)),
    fee_centavos: fee_centavos - sumOf(split.map((share) => share.fee_centavos!)),
    isLiable: !split.some(({ isLiable }) => isLiable),
  };
  const recipients = split.map(
    (share): Party => ({
      account: recipientAccount(share.recipientId),
      share_centavos: share.share_centavos,
      fee_centavos: share.fee_centavos!,
      isLiable: share.isLiable,
    }),
  );
  return {
    parties: [merchant, ...recipients],
    receivables: receivablesOf({
      availableOn: methodRules(method).availableOn,
      captured_centavos,
      installments,
      capturedOn,
    }),
  };
}

/** The merchant's share: of the payment's amount before the capture, of the captured amount after it. */
export function merchantShare({ capturedOn, captured_centavos, amount_centavos, split }: Payment): number {
  const shared_centavos = capturedOn === null ? amount_centavos : captured_centavos;
  return shared_centavos - sumOf(split.map(({ share_centavos }) => share_centavos));
}

/**
 * The shares of a payment that is not captured: of its whole amount. Throws a RangeError if the split exceeds it.
 */
export function sharesOf(
  amount_centavos: number,
  lines: readonly (SplitLine & Pick<PaymentShare, 'recipient'>)[],
): PaymentShare[] {
  const { shares } = splitAmount(amount_centavos, 0, lines);
  return lines.map((line, i) => ({
    ...line,
    share_centavos: shares[i]!.share_centavos,
    fee_centavos: null,
  }));
}
