import type { PaymentMethod } from '../domain/merchants/payment-methods.ts';
import type { NotificationType } from '../domain/payments/acquirer-notification.ts';
import type { DisputeNotice } from '../domain/payments/dispute-notice.ts';
import type { MandateNotice } from '../domain/payments/methods/mandate-updates.ts';
import type { PaymentRefusal } from '../domain/payments/refusal-reasons.ts';
import type { AcquirerCommand } from './acquirer-commands.ts';
import type { EvidenceInquiryOutcome, InquiryOutcome, OutcomeOf } from './acquirer-outcomes.ts';

export type * from './acquirer-commands.ts';
export type * from './acquirer-outcomes.ts';

/**
 * The acquirer port: what the product asks of the company that moves the money. It has one union of commands and one
 * union of outcomes.
 *
 * Every command has a `reference`, made by us and never used again. An acquirer that receives it again repeats its
 * first answer and does nothing. No method throws for a business or network reason: the outcome is then `unknown`, and
 * `inquire` finds it later. Amounts are integer centavos (BRL).
 */
export interface Acquirer {
  /** False if no acquirer is configured: no order can be accepted. */
  readonly isConfigured: boolean;
  /** Sends one command and resolves to its outcome. */
  perform<C extends AcquirerCommand>(command: C): Promise<OutcomeOf<C>>;
  /**
   * The outcome of the command that we sent as `reference`. With `seal`, an acquirer that has not received the command
   * refuses it from now on, even if it is still on its way. `not_found` is then final.
   */
  inquire(inquiry: Inquiry): Promise<InquiryOutcome>;
  /** The same for evidence against a dispute. */
  inquireEvidence(inquiry: Inquiry): Promise<EvidenceInquiryOutcome>;
}

export interface Inquiry {
  readonly reference: string;
  readonly account: string;
  readonly seal: boolean;
}

/** What the acquirer reports by a signed notification. `reference` is ours, of the operation or payment. */
export interface AcquirerNotification {
  /** The unique id of the notification, which may arrive more than once. */
  readonly id: string;
  readonly account: string;
  /**
   * Our reference. For a result, it is the reference of the operation; for a change of the payment itself, that of the
   * authorization or charge.
   */
  readonly reference: string;
  readonly type: NotificationType;
  /** Null if the notification does not name it; its type then limits the methods. */
  readonly method: PaymentMethod | null;
  /** When it happened (merchant's time). */
  readonly occurredAt: Date;
  readonly refusal: PaymentRefusal | null;
  /** Null if the notification does not name it. The notification is then not applied. */
  readonly amount_centavos: number | null;
  /** The end-to-end id of a paid Pix, 32 characters. */
  readonly endToEndId: string | null;
  /** Set for a dispute; absent if the acquirer says nothing about it. */
  readonly dispute?: DisputeNotice;
  /** Set for a mandate and the charge that authorized it; absent if the acquirer says nothing about it. */
  readonly mandate?: MandateNotice;
}

/** What a network reports about the card of a token: the issuer has renewed it, or replaced it by another one. */
export interface CardUpdate {
  readonly id: string;
  readonly account: string;
  /** The reference of the command that requested the token. */
  readonly reference: string;
  readonly type: 'network_token.updated';
  /** When it happened (merchant's time). */
  readonly occurredAt: Date;
  /** The card that the token charges from now on. `expMonth` is `MM`, `expYear` is `YY`. */
  readonly card: {
    readonly first6: string;
    readonly last4: string;
    readonly expMonth: string;
    readonly expYear: string;
  };
}

/** Everything that the acquirer reports. */
export type ReceivedNotification = AcquirerNotification | CardUpdate;

export type { NotificationType };
