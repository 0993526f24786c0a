import { cardEncryptionKey } from '../../services/cards/card-encryption-key.ts';
import { findCheckout } from '../../services/checkout/find-checkout.ts';
import { findLogoUrl } from '../../services/links/find-logo.ts';
import { offeredSubscription } from '../../services/subscriptions/offered-terms.ts';
import { withOwner } from '../http/handler.ts';
import { checkoutAnswer } from './checkout-answer.ts';
import { pageOwner } from './owner.ts';

export const getCheckout = withOwner<'getCheckout'>(pageOwner, async ({ deps, merchant, path, query }) => {
  const checkout = await findCheckout(deps, merchant, path.hash);
  const logoUrl = await findLogoUrl(deps, merchant, checkout);
  const jwk = await cardEncryptionKey(deps, merchant);
  const offered = offeredSubscription(deps, merchant, checkout);
  const body = checkoutAnswer(merchant, checkout, { jwk, logoUrl, typed_centavos: query.amount, offered });
  return { status: 200, body };
});
