import type { MethodDetails } from '../../domain/payments/methods/index.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { PaymentStateRecord } from '../../domain/payments/payment-state.ts';

/**
 * The move that adds details to a payment. A QR code or barcode that the payer still needs makes an event. Other
 * details, such as the acquirer's own reference, make none.
 */
export function addMove(
  payment: PaymentStateRecord,
  method: Partial<MethodDetails[keyof MethodDetails]>,
): 'offer_code' | 'add_details' {
  const hasCode = 'qrCode' in method || 'barcode' in method;
  return hasCode && mayMove(payment, 'offer_code') ? 'offer_code' : 'add_details';
}
