import type { MethodDetails } from '../../domain/payments/methods/index.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { PaymentStateRecord } from '../../domain/payments/payment-state.ts';

/** Data that make no event: no answer shows them, or they belong to a step without one. */
const SILENT: ReadonlySet<string> = new Set(['acquirerReference', 'paidAt']);

/** The move that adds data of the method to a payment. What the merchant sees makes an event. */
export function addMove(
  payment: PaymentStateRecord,
  method: Partial<MethodDetails[keyof MethodDetails]>,
): 'offer_code' | 'add_data' | 'add_details' {
  const hasCode = 'qrCode' in method || 'barcode' in method;
  if (hasCode && mayMove(payment, 'offer_code')) return 'offer_code';
  return Object.keys(method).every((name) => SILENT.has(name)) ? 'add_details' : 'add_data';
}
