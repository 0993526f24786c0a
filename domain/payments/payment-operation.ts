/** The commands to the acquirer that change a payment. */
export const OPERATION_KINDS = ['authorize', 'pix_charge', 'capture', 'cancel', 'refund'] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export const OPERATION_STATES = ['pending', 'approved', 'refused'] as const;
export type OperationState = (typeof OPERATION_STATES)[number];

/** One command to the acquirer. It is recorded before it is sent, and settled once with its outcome. */
export interface PaymentOperation {
  readonly id: string;
  readonly paymentId: string;
  /** Set for a refund only: the id of the refund. */
  readonly refundId: string | null;
  readonly kind: OperationKind;
  readonly amount_centavos: number;
  /** Our unique reference. The acquirer repeats it in every answer and notification. */
  readonly reference: string;
  readonly state: OperationState;
  /** Set for a refused operation only. */
  readonly refusalCode: string | null;
  /** How often the acquirer was asked for its outcome. */
  readonly attempts: number;
  readonly createdAt: Date;
}

/** Whether a payment begins with an operation of this kind, and has its reference. */
export function beginsPayment(kind: OperationKind): boolean {
  return kind === 'authorize' || kind === 'pix_charge';
}
