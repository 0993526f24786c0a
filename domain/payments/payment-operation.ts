/** The operations that create a payment at the acquirer. Their reference is also the payment's. */
const FIRST_OPERATION_KINDS = [
  'authorize',
  'pix_charge',
  'bank_slip_charge',
  'mandate',
  'mandate_charge',
] as const;
export type FirstOperationKind = (typeof FIRST_OPERATION_KINDS)[number];

/** The operations that do not change the status of a payment. One can be open beside another operation. */
export const CONCURRENT_KINDS = ['refund', 'cancel_mandate'] as const;

/**
 * The operations on a payment that exists at the acquirer. `cancel_mandate` is on the payment that created the mandate.
 */
export const MODIFICATION_KINDS = ['capture', 'cancel', ...CONCURRENT_KINDS] as const;

/** The commands to the acquirer that create or change a payment. */
export const OPERATION_KINDS = [...FIRST_OPERATION_KINDS, ...MODIFICATION_KINDS] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

export type OperationState = 'pending' | 'approved' | 'refused';

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

export type ModificationKind = (typeof MODIFICATION_KINDS)[number];

/** An operation on a payment that exists at the acquirer. */
export type Modification = PaymentOperation & { readonly kind: ModificationKind };

export function isModification(operation: PaymentOperation): operation is Modification {
  return (MODIFICATION_KINDS as readonly OperationKind[]).includes(operation.kind);
}

/** The refusal code of an operation that the acquirer has never received, and so has not refused. */
export const NOT_RECEIVED = 'not_received';

/** Whether an operation of this kind creates a payment at the acquirer. */
export function isFirstOperation(kind: OperationKind): kind is FirstOperationKind {
  return (FIRST_OPERATION_KINDS as readonly OperationKind[]).includes(kind);
}
