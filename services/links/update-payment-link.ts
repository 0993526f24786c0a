import { dropUnusedLogo } from '../../db/links/logos.ts';
import { lockPaymentLink, updatePaymentLink as updateRow } from '../../db/links/payment-links.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { PaymentLinkSettings } from '../../domain/links/payment-link.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notFound, Violations } from '../refusal.ts';
import { checkLink, checkSent } from './link-rules.ts';
import { requestLogo } from './move-logo.ts';
import { type ShownPaymentLink, showPaymentLink } from './shown-payment-link.ts';

/**
 * Changes the given fields. When the buyer is to enter the amount, the link loses its amount; when it stops recurring,
 * it loses its free days. A logo that could not be fetched is fetched again if its address is given. Refusals:
 * `not_found`; fields, as at creation.
 */
export async function updatePaymentLink<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, changes }: { readonly id: string; readonly changes: Partial<PaymentLinkSettings> },
  finish: Finish<ShownPaymentLink, Answer>,
): Promise<Answer> {
  if (!isUuid(id)) throw notFound('Payment link');
  const violations = new Violations();
  await checkSent(deps, merchant, violations, changes);
  return deps.db.transaction(merchant, async (tx) => {
    const stored = await lockPaymentLink(tx, merchant, normalizeUuid(id));
    if (stored === undefined) throw notFound('Payment link');
    const changed = { ...stored, ...withoutStale(changes), updatedAt: now(deps, merchant) };
    checkLink(violations, changed);
    violations.throwIfAny();
    if (changes.logoUrl) await requestLogo({ deps, tx, merchant }, changes.logoUrl);
    const updated = await updateRow(tx, merchant, changed);
    if (stored.logoUrl !== null && stored.logoUrl !== updated.logoUrl) {
      await dropUnusedLogo(tx, merchant, stored.logoUrl);
    }
    return finish(tx, await showPaymentLink(deps, tx, merchant, updated));
  });
}

/** Clears fields that have no meaning after the change, unless they are sent too. */
function withoutStale(changes: Partial<PaymentLinkSettings>): Partial<PaymentLinkSettings> {
  return {
    ...(changes.amountType === 'customer_defined' && { amount_centavos: null }),
    ...(changes.recurrenceInterval === null && { recurrenceTrialDays: null }),
    ...changes,
  };
}
