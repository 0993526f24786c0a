import { recipientAccount } from '../../../domain/ledger/account.ts';
import { AT_ONCE, type Capture, receivablesOf } from '../../../domain/ledger/receivables.ts';
import { type SplitLine, splitAmount } from '../../../domain/ledger/split.ts';
import {
  type CapturedAmounts,
  type CaptureTerms,
  type Party,
  type Transfer,
  transfersOf,
} from '../../../domain/ledger/transfers.ts';
import { balancesOf } from './account-balances.ts';

export const NOTHING: CapturedAmounts = {
  captured_centavos: 0,
  refunded_centavos: 0,
  disputed_centavos: 0,
  charged_back_centavos: 0,
};

/** The amounts of a captured payment. */
export const amounts = (captured: number, refunded = 0, disputed = 0, chargedBack = 0): CapturedAmounts => ({
  captured_centavos: captured,
  refunded_centavos: refunded,
  disputed_centavos: disputed,
  charged_back_centavos: chargedBack,
});

/** All transfers of a payment that goes through these amounts, from nothing. */
export function history(terms: CaptureTerms, ...steps: readonly CapturedAmounts[]): Transfer[] {
  return steps.flatMap((after, at) => transfersOf(terms, { before: steps[at - 1] ?? NOTHING, after }));
}

export function terms(capture: Partial<Capture>, fee_centavos: number, ...lines: SplitLine[]): CaptureTerms {
  const whole: Capture = {
    availableOn: AT_ONCE,
    captured_centavos: 1000,
    installments: 1,
    capturedOn: '2026-11-23',
    ...capture,
  };
  return captureTerms(whole, fee_centavos, lines);
}

/**
 * What each party gets from a captured payment, and when: the merchant first, then the recipients in the order of their
 * lines. If no recipient is liable, the merchant is (contract row 7.7). Throws a RangeError if the split exceeds it.
 */
function captureTerms(capture: Capture, fee_centavos: number, lines: readonly SplitLine[]): CaptureTerms {
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

export const totals = (transfers: readonly Transfer[]) => Object.fromEntries(balancesOf(transfers).total);
