import type { FirstOperationKind } from '../payment-operation.ts';

/** What the rules of payments ask of a method. `Details` is what a payment stores of it. */
export interface MethodRules<Details> {
  /** The operation that creates a payment at the acquirer. */
  readonly firstOperation: FirstOperationKind;
  /** The word before the dot in the notifications about the payment itself: `pix.paid`, `authorization.approved`. */
  readonly notifiedAs: NotificationFamily;
  /** Whether the approval of the first operation captures the payment. */
  capturesOnApproval(details: Details): boolean;
  /** The id of the transfer that paid it; null where it is not known, and for methods without one. */
  transferId(details: Details): string | null;
}

/** A charge is reported as paid, refused or expired under its own name; anything else as an authorization. */
export type NotificationFamily = 'authorization' | ChargeFamily;
export type ChargeFamily = (typeof CHARGE_FAMILIES)[number];
export const CHARGE_FAMILIES = ['pix'] as const;
