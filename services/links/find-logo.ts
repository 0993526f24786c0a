import { findLogoVersion, findLogo as findStored } from '../../db/links/logos.ts';
import { findMerchantOfLink } from '../../db/links/payment-links.ts';
import { isPublicHash, slotOfHash } from '../../domain/identifiers.ts';
import type { Logo } from '../../domain/links/logo.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

const VERSION = /^[0-9a-f]{8}$/;

/** The address of the logo of a checkout page; null if the page has none, or it is not stored. */
export async function findLogoUrl(
  deps: Deps,
  scope: MerchantScope,
  { paymentLinkId, hash }: { readonly paymentLinkId: string | null; readonly hash: string },
): Promise<string | null> {
  if (paymentLinkId === null) return null;
  const version = await findLogoVersion(deps.db, scope, paymentLinkId);
  return version === undefined ? null : `${deps.checkoutBaseUrl()}/logos/${hash}?v=${version}`;
}

/** A version of the logo of the payment link with this hash; undefined if it is not stored. */
export async function findLogo(deps: Deps, hash: string, version: string): Promise<Logo | undefined> {
  if (!isPublicHash(hash) || !VERSION.test(version)) return undefined;
  const slot = slotOfHash(hash)!;
  const link = await findMerchantOfLink(deps.db, slot, hash);
  return link && findStored(deps.db, { slot, merchantId: link.merchantId }, { linkId: link.linkId, version });
}
