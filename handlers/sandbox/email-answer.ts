import type { Email } from '../../domain/emails/email.ts';
import { utcMicros } from '../../domain/local-time.ts';
import type { components } from '../../generated/types.ts';

/** An e-mail as in the contract. */
export function emailAnswer(email: Email): components['schemas']['Email'] {
  return {
    id: email.id,
    kind: email.kind,
    status: email.status,
    payment_id: email.paymentId,
    to: email.to,
    language: email.language,
    subject: email.content?.subject ?? null,
    text: email.content?.text ?? null,
    html: email.content?.html ?? null,
    error: email.error,
    created_at: utcMicros(email.createdAt),
    sent_at: email.sentAt && utcMicros(email.sentAt),
  };
}
