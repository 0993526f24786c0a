import { listTransfers } from '../../db/ledger/transfers.ts';
import { encodeCursor } from '../../domain/cursor.ts';
import type { AccountKind } from '../../domain/ledger/account.ts';
import { entriesOf, type LedgerEntry } from '../../domain/ledger/entry.ts';
import { utcMicros } from '../../domain/local-time.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { findRecipientNamed } from '../recipients/find-recipient.ts';

export interface LedgerEntryListInput {
  readonly page: DatedPageInput;
  readonly paymentId?: string | undefined;
  /** Number, UUID or hash. */
  readonly recipient?: string | undefined;
  readonly account?: AccountKind | undefined;
}

/** Ledger entries of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listLedgerEntries(
  deps: Deps,
  merchant: Merchant,
  { page: input, paymentId, recipient, account }: LedgerEntryListInput,
): Promise<Page<LedgerEntry>> {
  const page = datedPageRequest(input);
  const { perPage, after } = page;
  const nothing = { items: [], perPage, nextCursor: null };
  // Only entries of account `recipient` have a recipient.
  if (recipient !== undefined && account !== undefined && account !== 'recipient') return nothing;
  const recipientId =
    recipient === undefined ? undefined : (await findRecipientNamed(deps, merchant, recipient))?.id;
  if (recipient !== undefined && recipientId === undefined) return nothing;
  const isListed = (entry: LedgerEntry) =>
    (account === undefined || entry.account === account) &&
    (recipientId === undefined || entry.recipientId === recipientId);
  // Enough transfers for one entry more than a page. With a filter, one entry of a transfer is listed, else both are.
  // One entry of the first transfer may have been the last of the previous page.
  const isOneSided = account !== undefined || recipientId !== undefined;
  const transfers = await listTransfers(
    deps.db,
    merchant,
    { paymentId, recipientId, account },
    { ...page, perPage: isOneSided ? perPage + 2 : Math.ceil(perPage / 2) + 1 },
  );
  const isAfterCursor = ({ id, createdAt }: LedgerEntry) =>
    after === null || utcMicros(createdAt) < after.createdAt || id < after.id;
  const entries = transfers.items
    .flatMap(entriesOf)
    .filter((entry) => isListed(entry) && isAfterCursor(entry));
  const items = entries.slice(0, perPage);
  const last = items.at(-1);
  const hasMore = last !== undefined && entries.length > items.length;
  return {
    items,
    perPage,
    nextCursor: hasMore ? encodeCursor({ createdAt: utcMicros(last.createdAt), id: last.id }) : null,
  };
}
