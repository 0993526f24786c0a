import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { askSandbox } from '../ask-sandbox.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** Drops a script: its remaining outcomes have no effect any more. Refusals: `not_found`, `unavailable`. */
export async function deleteScript(deps: Deps, merchant: Merchant, id: string): Promise<void> {
  const wasDropped =
    isCanonicalUuid(id) &&
    (await askSandbox(deps, (sandbox) => sandbox.dropScript(merchant.merchantId, normalizeUuid(id))));
  if (!wasDropped) throw notFound('Script');
}
