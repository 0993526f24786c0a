import type { Subscription } from '../../../domain/subscriptions/subscription.ts';
import type { Violations } from '../../refusal.ts';

/** How a subscription uses a payment method. */
export interface ChargeMethod {
  /**
   * The input of the method for a new subscription, or for one whose method changes, from that of the request.
   * `isChargedNow`: a cycle is charged at once. Absent: that of the request.
   */
  firstInput?(requested: object, isChargedNow: boolean): object;
  /** The input of the method for a charge of a stored subscription. */
  laterInput(subscription: Subscription): object;
  /** The field of a request with the due date of the first charge; null if the method has none. */
  readonly firstDue: FirstDue | null;
  /** Whether the acquirer verifies the means of payment of a subscription that is charged later. Absent: no. */
  readonly isVerifiedBeforeCharge?: true;
  /** Whether a charge can have more than one installment. */
  readonly hasInstallments: boolean;
}

export interface FirstDue {
  /** Refuses the field, because the first charge is not made now. */
  refuse(violations: Violations): void;
  /** The merchant's day; undefined if it is not sent or not valid. */
  day(input: object): string | undefined;
}

export const NOT_CHARGED_NOW = 'Is only possible if the first charge is made now.';
