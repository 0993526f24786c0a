import { DAY_MS } from '../../domain/durations.ts';
import { receiptsOfPayments } from '../../services/emails/queue-receipts.ts';
import { receiptOfLink } from '../../services/emails/receipt-of-link.ts';
import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { dueEmails } from './send-emails.ts';

export const emails: Area = {
  jobs: (deps) => [slotJob(deps, { name: 'send e-mails', interval_ms: 1_000 }, dueEmails(deps))],
  paymentListeners: [receiptsOfPayments(receiptOfLink)],
  expiringTables: [
    { table: 'emails', key: 'id', expiresAt: 'created_at', indexedBy: 'merchant', kept_ms: 30 * DAY_MS },
  ],
  merchantTables: [{ table: 'emails' }],
};
