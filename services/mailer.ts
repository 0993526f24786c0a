import type { EmailContent } from '../domain/emails/email.ts';

/** An e-mail as it goes to the mail server. */
export interface OutgoingEmail extends EmailContent {
  /** Makes the Message-ID, so that an e-mail that is sent twice is recognized. */
  readonly id: string;
  readonly to: string;
  /** The name that the buyer sees as the sender. */
  readonly senderName: string;
}

/**
 * `refused`: the server does not accept the e-mail or its address, and will not later. `failed`: it cannot be reached, or
 * asks to try again.
 */
export type MailResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'failed'; readonly error: string };

/** Sends e-mails. */
export interface Mailer {
  send(email: OutgoingEmail): Promise<MailResult>;
  close(): void;
}
