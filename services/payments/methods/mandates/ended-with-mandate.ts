import { findMandate } from '../../../../db/payments/mandates.ts';
import type { AcquirerUpdate } from '../../../../domain/payments/acquirer-report.ts';
import { isOpenMandate } from '../../../../domain/payments/mandate-moves.ts';
import { hasMandate } from '../../../../domain/payments/methods/index.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import { mandateCancellation } from '../../../../domain/payments/pix-automatico-reasons.ts';
import type { PaymentDetails } from '../../../../domain/payments/plan-moves.ts';
import type { TransactionContext } from '../../../deps.ts';

/**
 * The reason of a charge that is canceled because the payer, or the payer's bank, has ended its mandate. None for any
 * other payment. `reportedCode`: of the report of the charge, which can arrive before that of the mandate; null if it
 * has none.
 */
export async function endedWithMandate(
  { tx, merchant }: TransactionContext,
  payment: Payment,
  reportedCode: string | null = null,
): Promise<Pick<PaymentDetails, 'refusal'>> {
  if (!hasMandate(payment)) return {};
  const code =
    reportedCode ?? (await findMandate(tx, merchant, payment.details.mandateId))?.cancellationCode ?? null;
  return code === null ? {} : { refusal: mandateCancellation(code) };
}

/** Whether a report is about a charge that was canceled together with its mandate. */
export function endsWithMandate({ update, mandate }: AcquirerUpdate): boolean {
  return update === 'voided' && (mandate?.cancellationCode ?? null) !== null;
}

/** Whether the mandate of a payment has not ended here. */
export async function hasOpenMandate(
  { tx, merchant }: Pick<TransactionContext, 'tx' | 'merchant'>,
  payment: Payment,
): Promise<boolean> {
  if (!hasMandate(payment)) return false;
  const mandate = await findMandate(tx, merchant, payment.details.mandateId);
  return mandate !== undefined && isOpenMandate(mandate.state);
}
