import { utcMicros } from '../../domain/local-time.ts';
import type { Offer } from '../../domain/products/offer.ts';
import type { components } from '../../generated/types.ts';
import type { Deps } from '../../services/deps.ts';

/** An offer as in the contract. */
export function offerAnswer(
  deps: Pick<Deps, 'checkoutBaseUrl'>,
  offer: Offer,
): components['schemas']['Offer'] {
  const page = offer.type === 'recurring' ? 's' : 'c';
  return {
    id: offer.id,
    hash: offer.hash,
    product_id: offer.productId,
    type: offer.type,
    name: offer.name,
    is_active: offer.state === 'active',
    amount: offer.amount_centavos,
    currency: offer.currency,
    interval: offer.interval,
    trial_days: offer.trialDays,
    cycles: offer.cycles.map(({ start, end, amount_centavos }) => ({ start, end, amount: amount_centavos })),
    checkout_url: `${deps.checkoutBaseUrl()}/${page}/${offer.hash}`,
    created_at: utcMicros(offer.createdAt),
    updated_at: utcMicros(offer.updatedAt),
  };
}
