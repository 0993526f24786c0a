import { encodeCursor } from '../../domain/cursor.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { StoredScript } from '../../gateway/sandbox-control.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageInput, pageRequest } from '../page-request.ts';

/** The merchant's scripts with what remains of each, newest first. Refusals: as `pageRequest`; `unavailable`. */
export async function listScripts(
  deps: Deps,
  merchant: Merchant,
  page: PageInput,
): Promise<Page<StoredScript>> {
  const { perPage, after } = pageRequest(page);
  // One more than asked for shows whether others follow.
  const found = await callSandbox(deps, (sandbox) =>
    sandbox.listScripts(merchant.merchantId, { limit: perPage + 1, after }),
  );
  const items = found.slice(0, perPage);
  const last = items.at(-1);
  const hasMore = last !== undefined && found.length > items.length;
  const nextCursor = hasMore ? encodeCursor({ createdAt: last.createdAt, id: last.scriptId }) : null;
  return { items, perPage, nextCursor };
}
