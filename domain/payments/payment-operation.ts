/** What the acquirer is asked to do for a payment. */
export const OPERATION_KINDS = ['authorize', 'pix_charge', 'capture', 'cancel', 'refund'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationState = 'pending' | 'approved' | 'refused';

/** Whether an operation of this kind begins a payment: its reference is also the payment's. */
export function beginsPayment(kind: OperationKind): boolean {
  return kind === 'authorize' || kind === 'pix_charge';
}
