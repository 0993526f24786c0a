import { listRecipients as listRows, type RecipientFilter } from '../../db/recipients/recipients.ts';
import type { Recipient } from '../../domain/recipients/recipient.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';

/** A page of the merchant's recipients, newest first. Refusals: as `datedPageRequest`. */
export async function listRecipients(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  input: RecipientFilter & { readonly page: DatedPageInput },
): Promise<Page<Recipient>> {
  return listRows(deps.db, merchant, input, datedPageRequest(input.page));
}
