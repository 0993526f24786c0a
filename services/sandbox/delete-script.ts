import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** Deletes a script. Its remaining outcomes have no effect any more. Refusals: `not_found`, `unavailable`. */
export async function deleteScript(deps: Deps, merchant: Merchant, id: string): Promise<void> {
  const isDeleted =
    isCanonicalUuid(id) &&
    (await callSandbox(deps, (sandbox) => sandbox.dropScript(merchant.merchantId, normalizeUuid(id))));
  if (!isDeleted) throw notFound('Script');
}
