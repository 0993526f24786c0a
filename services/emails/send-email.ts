import { findMerchant } from '../../db/merchants/merchants.ts';
import { findPayment } from '../../db/payments/payments.ts';
import type { ClaimedEmail } from '../../domain/emails/email.ts';
import { retryPause_ms } from '../../domain/emails/email-moves.ts';
import { receiptContent } from '../../domain/emails/receipt-content.ts';
import { singleLine } from '../../domain/text.ts';
import { type Deps, now } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import type { MailResult } from './mailer.ts';
import { moveEmail } from './move-email.ts';

/**
 * Sends a claimed e-mail and writes the result. It can be sent twice if the process ends in between; both then have the
 * same Message-ID. In a sandbox without a mail server it is only stored. Returns whether it has its final result.
 */
export async function sendEmail(deps: Deps, email: ClaimedEmail): Promise<boolean> {
  const merchant = requireRow(await findMerchant(deps.db, email));
  const payment = requireRow(await findPayment(deps.db, email, email.paymentId));
  const { id, to, language, details, attempts } = email;
  const content = receiptContent({ language, details, payment, merchant });
  const sent: MailResult =
    deps.mailer === null
      ? noMailServer(deps)
      : await deps.mailer.send({ id, to, senderName: singleLine(merchant.name), ...content });
  const result = { emailId: id, attempts, dueAt: null, error: null, content: null, sentAt: null };
  if (sent.kind === 'accepted') {
    const kept = deps.environment === 'sandbox' ? content : null;
    await moveEmail(deps.db, email, 'send', { ...result, content: kept, sentAt: now(deps, merchant) });
    return true;
  }
  const { kind, error, failure } = sent;
  const pause_ms = kind === 'refused' ? null : retryPause_ms(attempts);
  const dueAt = pause_ms === null ? null : new Date(deps.wall().getTime() + pause_ms);
  await moveEmail(deps.db, email, dueAt === null ? 'fail' : 'retry', { ...result, dueAt, error });
  const fields = {
    merchant_id: email.merchantId,
    email_id: id,
    payment_id: email.paymentId,
    response_code: failure.responseCode,
    command: failure.command,
    code: failure.code,
    attempts,
  };
  deps.log.warn(fields, dueAt === null ? 'e-mail failed' : 'e-mail not accepted, retrying');
  return dueAt === null;
}

/** In production, the mail server can be taken away while e-mails are queued. */
function noMailServer({ environment }: Deps): MailResult {
  if (environment === 'sandbox') return { kind: 'accepted' };
  const failure = { responseCode: null, command: null, code: 'no_mail_server' };
  return { kind: 'failed', error: 'SMTP_URL is not set.', failure };
}
