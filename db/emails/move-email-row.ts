import type { EmailContent, EmailStatus } from '../../domain/emails/email.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Queryable } from '../engine/database.ts';

/** The result of an attempt. */
export interface EmailResult {
  readonly emailId: string;
  /** The number of the attempt. A later attempt by another process is not changed. */
  readonly attempts: number;
  /** Wall time of the next attempt; null if there is none. */
  readonly dueAt: Date | null;
  readonly error: string | null;
  readonly content: EmailContent | null;
  /** Merchant's time; null if it was not sent. */
  readonly sentAt: Date | null;
}

/** Makes a move of an e-mail. Returns false and writes nothing when another attempt has begun or ended it. */
export async function moveEmailRow(
  q: Queryable,
  scope: MerchantScope,
  { from, to, ...result }: RowMove<EmailStatus> & EmailResult,
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update emails set status = :to, due_at = :due_at, error = :error, content = :content, sent_at = :sent_at
      where {scope} and id = :id and attempts = :attempts and status = any(:from)`,
    {
      id: result.emailId,
      attempts: result.attempts,
      from,
      to,
      due_at: result.dueAt,
      error: result.error,
      content: result.content === null ? null : JSON.stringify(result.content),
      sent_at: result.sentAt,
    },
  );
  return touched === 1;
}
