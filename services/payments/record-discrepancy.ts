import { insertDiscrepancy } from '../../db/payments/discrepancies.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import type {
  Discrepancy,
  DiscrepancyReason,
  DiscrepancySide,
  DiscrepancySource,
} from '../../domain/payments/discrepancy.ts';
import { paidAt, transferId } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import type { Deps, TransactionContext } from '../deps.ts';

/** What the acquirer reported, as a discrepancy shows it. */
export interface Reported {
  readonly source: DiscrepancySource;
  /** Identifies the report within its merchant. A report that was recorded before writes nothing. */
  readonly key: string;
  readonly side: DiscrepancySide;
}

/**
 * Writes a discrepancy with both sides, in the transaction that finds it. Undefined when this report was written
 * before. The caller logs it once the transaction is committed.
 */
export async function recordDiscrepancy(
  { deps, tx, merchant }: TransactionContext,
  reason: DiscrepancyReason,
  reported: Reported,
  { payment, operation }: { readonly payment: Payment; readonly operation: PaymentOperation },
): Promise<Discrepancy | undefined> {
  const createdAt = deps.wall();
  return insertDiscrepancy(tx, merchant, {
    id: uuidV7(createdAt.getTime(), deps.random),
    source: reported.source,
    reason,
    paymentId: payment.id,
    operationId: operation.id,
    reference: operation.reference,
    reportKey: reported.key,
    reported: reported.side,
    recorded: {
      payment_status: payment.status,
      method: payment.method,
      amount_centavos: payment.amount_centavos,
      captured_centavos: payment.captured_centavos,
      refunded_centavos: payment.refunded_centavos,
      operation: operation.kind,
      operation_state: operation.state,
      operation_amount_centavos: operation.amount_centavos,
      operation_refusal_code: operation.refusalCode,
      end_to_end_id: transferId(payment),
      paid_at: paidAt(payment)?.toISOString() ?? null,
    },
    createdAt,
  });
}

/** Logs and counts a discrepancy that is committed. */
export function logDiscrepancy(deps: Deps, found: Discrepancy | undefined): void {
  if (found === undefined) return;
  deps.countDiscrepancy({ source: found.source, reason: found.reason });
  deps.log.error(
    {
      discrepancy_id: found.id,
      merchant_id: found.merchantId,
      payment_id: found.paymentId,
      operation_id: found.operationId,
      source: found.source,
      reason: found.reason,
      reported: found.reported,
      recorded: found.recorded,
    },
    'discrepancy found',
  );
}
