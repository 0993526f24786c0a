import { movePaymentLinkRow } from '../../db/links/payment-links.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import { type PaymentLinkMove, paymentLinkMachine } from '../../domain/links/payment-link-moves.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notFound } from '../refusal.ts';
import { type ShownPaymentLink, showPaymentLink } from './shown-payment-link.ts';

/** Disables or enables a payment link. A link that has the state already is not changed. Refusal: `not_found`. */
export function movePaymentLink<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, move }: { readonly id: string; readonly move: PaymentLinkMove },
  finish: Finish<ShownPaymentLink, Answer>,
): Promise<Answer> {
  const rowMove = paymentLinkMachine.rowMove(move, 'merchant');
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const link = isUuid(id)
      ? await movePaymentLinkRow(tx, merchant, { id: normalizeUuid(id), move: rowMove, at })
      : undefined;
    if (link === undefined) throw notFound('Payment link');
    return finish(tx, await showPaymentLink(deps, tx, merchant, link));
  });
}
