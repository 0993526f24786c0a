import { recipientAccount } from './account.ts';
import { type Capture, receivablesOf } from './receivables.ts';
import { type SplitLine, splitAmount } from './split.ts';
import type { CaptureTerms, Party } from './transfers.ts';

/**
 * What each party gets from a captured payment, and when: the merchant first, then the recipients in the order of their
 * lines. If no recipient is liable, the merchant is (contract row 7.7). Throws a RangeError if the split does not fit.
 */
export function captureTerms(
  capture: Capture,
  fee_centavos: number,
  lines: readonly SplitLine[],
): CaptureTerms {
  const { shares, merchant_centavos, merchantFee_centavos } = splitAmount(
    capture.captured_centavos,
    fee_centavos,
    lines,
  );
  const merchant: Party = {
    account: 'merchant',
    share_centavos: merchant_centavos,
    fee_centavos: merchantFee_centavos,
    isLiable: !lines.some(({ isLiable }) => isLiable),
  };
  const recipients = shares.map(
    ({ recipientId, ...share }): Party => ({ account: recipientAccount(recipientId), ...share }),
  );
  return { parties: [merchant, ...recipients], receivables: receivablesOf(capture) };
}
