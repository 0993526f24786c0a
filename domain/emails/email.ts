import type { Language } from '../language.ts';
import type { MerchantScope } from '../scope.ts';

export type EmailKind = 'receipt';
export type EmailStatus = 'queued' | 'sent' | 'failed';

/** An e-mail to a buyer that is to be sent. */
export interface NewEmail {
  readonly id: string;
  readonly paymentId: string;
  readonly kind: EmailKind;
  readonly to: string;
  readonly language: Language;
  readonly details: ReceiptDetails;
  /** Merchant's time. */
  readonly createdAt: Date;
}

/** What a receipt shows besides its payment. */
export interface ReceiptDetails {
  readonly buyerName: string;
  /** What was bought. */
  readonly title: string;
  /** The merchant's colour, `#rrggbb`; null for the default. */
  readonly brandColor: string | null;
}

/** The subject and the two forms of the same text. */
export interface EmailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** An e-mail with its result. */
export interface Email extends NewEmail {
  readonly status: EmailStatus;
  readonly attempts: number;
  readonly error: string | null;
  /** Null until it is sent, and in production. */
  readonly content: EmailContent | null;
  /** Merchant's time; null until it is sent. */
  readonly sentAt: Date | null;
}

/** An e-mail that this process sends until its lease ends. */
export interface ClaimedEmail extends NewEmail, MerchantScope {
  /** Including this one. */
  readonly attempts: number;
}
