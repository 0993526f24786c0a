import { createTransport } from 'nodemailer';
import type { Mailer, MailResult } from './mailer.ts';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password. */
  readonly url: string;
  /** The address of the sender. */
  readonly from: string;
  /** Whether a connection without TLS is refused. */
  readonly requiresTls: boolean;
}

const TIMEOUT_MS = 20_000;
const MAX_CONNECTIONS = 2;
/**
 * Answers to these commands are about the e-mail. Others concern all e-mails: a wrong password, or a sender that the
 * server does not accept.
 */
const ABOUT_THE_EMAIL = ['RCPT TO', 'DATA'];
const MAX_ERROR_CHARACTERS = 500;

/** Sends e-mails through an SMTP server. */
export function smtpMailer({ url, from, requiresTls }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    requireTLS: requiresTls,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ id, to, senderName, subject, text, html }) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          from: { name: senderName, address: from },
          to: { name: '', address: to },
          subject,
          text,
          html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { kind: 'accepted' };
      } catch (error) {
        return failure(error as SmtpError);
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  readonly responseCode?: number | null;
  readonly command?: string | null;
  readonly code?: string | null;
}

function failure({ message, responseCode = null, command = null, code = null }: SmtpError): MailResult {
  const isFinal = (responseCode ?? 0) >= 500 && command !== null && ABOUT_THE_EMAIL.includes(command);
  return {
    kind: isFinal ? 'refused' : 'failed',
    error: message.slice(0, MAX_ERROR_CHARACTERS),
    failure: { responseCode, command, code },
  };
}
