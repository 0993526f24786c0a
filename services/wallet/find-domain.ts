import {
  findWalletDomain as findRow,
  listWalletDomains as listRows,
} from '../../db/wallet/wallet-domains.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { WalletDomain } from '../../domain/wallet/wallet-domain.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageInput, pageRequest } from '../page-request.ts';
import { notFound } from '../refusal.ts';

/** A domain by its id. Refusal: `not_found`. */
export async function findWalletDomain(deps: Deps, merchant: Merchant, id: string): Promise<WalletDomain> {
  const domain = isCanonicalUuid(id) ? await findRow(deps.db, merchant, normalizeUuid(id)) : undefined;
  if (domain === undefined) throw noSuchDomain();
  return domain;
}

/** Domains of the merchant, newest first. Refuses `cursor`. */
export function listWalletDomains(
  deps: Deps,
  merchant: Merchant,
  page: PageInput,
): Promise<Page<WalletDomain>> {
  return listRows(deps.db, merchant, pageRequest(page));
}

export function noSuchDomain() {
  return notFound('Wallet domain');
}
