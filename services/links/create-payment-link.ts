import { findPaymentLink, insertPaymentLink } from '../../db/links/payment-links.ts';
import { publicHash } from '../../domain/identifiers.ts';
import { LINK_DEFAULTS, type PaymentLinkSettings } from '../../domain/links/payment-link.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { requireRow, Violations } from '../refusal.ts';
import { checkLink, checkSent } from './link-rules.ts';
import { requestLogo } from './move-logo.ts';
import { type ShownPaymentLink, showPaymentLink } from './shown-payment-link.ts';

/** The required settings. The others have defaults. */
export type NewPaymentLink = Pick<PaymentLinkSettings, 'title' | 'amountType' | 'paymentMethods'> &
  Partial<PaymentLinkSettings>;

/**
 * Creates an active payment link with the id `id`. If the id exists, this is a repetition of the request, and the
 * result is that link. Refuses every wrong field: those of `checkSent` and of `checkLink`.
 */
export async function createPaymentLink<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, fields }: { readonly id: string; readonly fields: NewPaymentLink },
  finish: Finish<ShownPaymentLink, Answer>,
): Promise<Answer> {
  const settings: PaymentLinkSettings = { ...LINK_DEFAULTS, ...fields };
  const violations = new Violations();
  await checkSent(deps, merchant, violations, fields);
  checkLink(violations, settings);
  violations.throwIfAny();
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const hash = publicHash(merchant.slot, deps.random);
    const state = 'active';
    const counts = { paymentsCount: 0, paymentsUnderWay: 0 };
    const link = { ...settings, id, hash, state, ...counts, createdAt: at, updatedAt: at } as const;
    if (link.logoUrl !== null) await requestLogo({ deps, tx, merchant }, link.logoUrl);
    const inserted = await insertPaymentLink(tx, merchant, link);
    const stored = inserted ?? requireRow(await findPaymentLink(tx, merchant, id));
    return finish(tx, await showPaymentLink(deps, tx, merchant, stored));
  });
}
