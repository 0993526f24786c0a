import type { FirstOperationKind } from '../payment-operation.ts';

/** The rules of a payment method. `Details` is the data of a payment that depends on the method. */
export interface MethodRules<Details> {
  /** The operation that creates a payment at the acquirer. */
  readonly firstOperation: FirstOperationKind;
  /**
   * The family of the notifications about the payment: the word before the dot, as in `pix.paid` and
   * `authorization.approved`.
   */
  readonly notifiedAs: NotificationFamily;
  /** Whether the approval of the first operation captures the payment. */
  capturesOnApproval(details: Details): boolean;
  /** The id of the transfer that paid it. Null if it is not known, and for methods without one. */
  transferId(details: Details): string | null;
}

/**
 * A charge has notifications with its own name: paid, refused, expired. Any other payment has those of an
 * authorization.
 */
export type NotificationFamily = 'authorization' | ChargeFamily;
export type ChargeFamily = (typeof CHARGE_FAMILIES)[number];
export const CHARGE_FAMILIES = ['pix', 'bank_slip'] as const;
