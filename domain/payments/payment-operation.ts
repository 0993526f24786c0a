/** What the acquirer is asked to do for a payment. */
export const OPERATION_KINDS = ['authorize', 'pix_charge', 'capture', 'cancel', 'refund'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export const OPERATION_STATES = ['pending', 'approved', 'refused'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** One command to the acquirer, recorded before it is sent and settled once with its outcome. Amounts are centavos. */
export interface PaymentOperation {
  readonly id: string;
  readonly paymentId: string;
  /** Set for a refund only: the id of the refund. */
  readonly refundId: string | null;
  readonly kind: OperationKind;
  readonly amount_centavos: number;
  /** Ours, unique for ever. The acquirer repeats it. */
  readonly reference: string;
  readonly state: OperationState;
  /** Set for a refused operation only. */
  readonly refusalCode: string | null;
  /** How often the acquirer was asked what became of it. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Whether an operation of this kind begins a payment: its reference is also the payment's. */
export function beginsPayment(kind: OperationKind): boolean {
  return kind === 'authorize' || kind === 'pix_charge';
}
