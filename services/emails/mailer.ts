import type { EmailContent } from '../../domain/emails/email.ts';

/** An e-mail as it goes to the mail server. */
export interface OutgoingEmail extends EmailContent {
  /** Makes the Message-ID, so that an e-mail that is sent twice is recognized. */
  readonly id: string;
  readonly to: string;
  /** The name that the buyer sees as the sender. */
  readonly senderName: string;
}

/** Why an e-mail was not accepted, without the text of the mail server, which may quote the recipient. */
export interface MailFailure {
  /** The answer of SMTP, such as 550. Null if there was none. */
  readonly responseCode: number | null;
  /** The command of SMTP that failed, such as `RCPT TO`. */
  readonly command: string | null;
  /** The kind of error, such as `ESOCKET`. */
  readonly code: string | null;
}

/**
 * `refused`: the server does not accept the e-mail or its address, and will not later. `failed`: it cannot be reached,
 * or asks to try again. `error` is the text of the server, which may quote the recipient.
 */
export type MailResult =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'failed'; readonly error: string; readonly failure: MailFailure };

/** Sends e-mails. */
export interface Mailer {
  send(email: OutgoingEmail): Promise<MailResult>;
  close(): void;
}
