import type { ClaimedEmail, Email, EmailContent, NewEmail } from '../../domain/emails/email.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface EmailRow {
  slot: number;
  merchant_id: string;
  id: string;
  payment_id: string;
  kind: Email['kind'];
  to_address: string;
  language: Email['language'];
  details: Email['details'];
  status: Email['status'];
  attempts: number;
  error: string | null;
  content: EmailContent | null;
  created_at: Date;
  sent_at: Date | null;
}

const COLUMNS = `slot, merchant_id, id, payment_id, kind, to_address, language, details, status, attempts, error, content,
  created_at, sent_at`;

/** Queues an e-mail, due at once. Does nothing if the payment has one of this kind. */
export async function insertEmail(
  q: Queryable,
  scope: MerchantScope,
  email: NewEmail,
  wall: Date,
): Promise<void> {
  await q.execute(
    scope,
    `insert into emails (slot, merchant_id, id, payment_id, kind, to_address, language, details, status, due_at, created_at)
     values (:slot, :merchant_id, :id, :payment_id, :kind, :to_address, :language, :details, 'queued', :due_at, :created_at)
     on conflict (slot, merchant_id, payment_id, kind) do nothing`,
    {
      id: email.id,
      payment_id: email.paymentId,
      kind: email.kind,
      to_address: email.to,
      language: email.language,
      details: JSON.stringify(email.details),
      due_at: wall,
      created_at: email.createdAt,
    },
  );
}

/** Slots in which an e-mail is due at `wall`. */
export async function slotsWithDueEmails(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from emails where due_at is not null and due_at <= :wall',
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Claims due e-mails of a slot: other processes do not find them before `leasedUntil` (wall time). */
export async function claimDueEmails(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date; readonly leasedUntil: Date },
): Promise<ClaimedEmail[]> {
  const rows = await db.slotRows<EmailRow>(
    slot,
    `with due as materialized (
       select slot, merchant_id, id from emails
        where {slot} and due_at is not null and due_at <= :wall and ${claimCondition()}
        order by due_at limit :limit for update skip locked)
     update emails e set due_at = :leased_until, attempts = e.attempts + 1
       from due where {slot:e} and e.merchant_id = due.merchant_id and e.id = due.id
     returning ${COLUMNS.replace(/(\w+)/g, 'e.$1')}`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map((row) => ({ ...toEmail(row), slot: row.slot, merchantId: row.merchant_id }));
}

export interface EmailFilter {
  readonly paymentId?: string | undefined;
}

const EMAILS = defineList<EmailRow, EmailFilter>({
  columns: COLUMNS,
  from: 'emails',
  filters: { paymentId: equals('payment_id') },
});

/** The e-mails of a merchant, newest first. */
export async function listEmails(
  q: Queryable,
  scope: MerchantScope,
  filter: EmailFilter,
  page: PageRequest,
): Promise<Page<Email>> {
  return mapPage(await fetchPage(q, scope, EMAILS, filter, page), toEmail);
}

function toEmail(row: EmailRow): Email {
  return {
    id: row.id,
    paymentId: row.payment_id,
    kind: row.kind,
    to: row.to_address,
    language: row.language,
    details: row.details,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    content: row.content,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}
