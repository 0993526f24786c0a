import { claimDueEmails, slotsWithDueEmails } from '../../db/emails/emails.ts';
import type { ClaimedEmail } from '../../domain/emails/email.ts';
import type { Deps } from '../../services/deps.ts';
import { sendEmail } from '../../services/emails/send-email.ts';
import type { Work } from '../work-loop.ts';

/** Longer than all time limits of the mail server's connection together. */
const LEASE_MS = 120_000;
/** As few as the connections to the mail server. */
const CONCURRENCY = 4;

/** E-mails that are due. */
export function dueEmails(deps: Deps): Work<ClaimedEmail> {
  return {
    lease_ms: LEASE_MS,
    concurrency: CONCURRENCY,
    findSlots: (wall) => slotsWithDueEmails(deps.db, wall),
    claim: (slot, claim) => claimDueEmails(deps.db, slot, claim),
    run: (email) => sendEmail(deps, email),
    // It is claimed again when its lease ends.
    failure: ({ id }) => ({ message: 'sending an e-mail failed', fields: { email_id: id } }),
  };
}
