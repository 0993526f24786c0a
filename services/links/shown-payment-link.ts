import type { Queryable } from '../../db/engine/database.ts';
import { findLogoStates } from '../../db/links/logos.ts';
import type { LogoState } from '../../domain/links/logo.ts';
import { isAddressRequired, type PaymentLink } from '../../domain/links/payment-link.ts';
import { type PaymentLinkStatus, paymentLinkStatus } from '../../domain/links/payment-link-status.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';

/** A payment link with the values that follow from its fields, and the state of its logo. */
export interface ShownPaymentLink extends PaymentLink {
  readonly status: PaymentLinkStatus;
  /** Null without a logo. */
  readonly logo: LogoState | null;
}

/** Also for a link that gets another logo between the two reads. */
const PENDING: LogoState = { status: 'pending', problem: null };

/**
 * Adds the states of the logos, the statuses by the merchant's clock, and whether the buyer must enter an address.
 * Reads the logos with `q`.
 */
export async function showPaymentLinks(
  deps: Deps,
  q: Queryable,
  merchant: Merchant,
  links: readonly PaymentLink[],
): Promise<ShownPaymentLink[]> {
  const at = now(deps, merchant);
  const urls = links.flatMap(({ logoUrl }) => logoUrl ?? []);
  const logos = urls.length === 0 ? undefined : await findLogoStates(q, merchant, urls);
  return links.map((link) => ({
    ...link,
    status: paymentLinkStatus(link, at),
    requireAddress: isAddressRequired(link),
    logo: link.logoUrl === null ? null : (logos?.get(link.logoUrl) ?? PENDING),
  }));
}

/** The same of one payment link. */
export async function showPaymentLink(
  deps: Deps,
  q: Queryable,
  merchant: Merchant,
  link: PaymentLink,
): Promise<ShownPaymentLink> {
  const [shown] = await showPaymentLinks(deps, q, merchant, [link]);
  return shown!;
}
