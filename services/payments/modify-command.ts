import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Modification } from '../../domain/payments/payment-operation.ts';
import type { PaymentModification } from '../../gateway/acquirer.ts';

/** The command of a capture, a cancellation or a refund. */
export function modifyCommand(
  merchant: Merchant,
  payment: Payment,
  operation: Modification,
): PaymentModification {
  return {
    kind: operation.kind,
    reference: operation.reference,
    account: merchant.merchantId,
    requestedAt: operation.createdAt,
    method: payment.method,
    paymentReference: payment.reference,
    amount_centavos: operation.amount_centavos,
  };
}
