import { listEmails as readEmails } from '../../db/emails/emails.ts';
import type { Email } from '../../domain/emails/email.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageInput, pageRequest } from '../page-request.ts';

/** The e-mails to the buyers of a merchant, newest first. Refusal: a malformed `cursor`. */
export function listEmails(
  { db }: Pick<Deps, 'db'>,
  scope: MerchantScope,
  { page, paymentId }: { readonly page: PageInput; readonly paymentId?: string | undefined },
): Promise<Page<Email>> {
  return readEmails(db, scope, { paymentId }, pageRequest(page));
}
