import { TRIES_WINDOW_MS } from '../../services/checkout/card-tries.ts';
import { discardTypedCard } from '../../services/payments/methods/discard-typed-card.ts';
import { type Area, MINUTE_MS } from '../area.ts';

export const checkout: Area = {
  paymentListeners: [discardTypedCard],
  merchantTables: [{ table: 'checkout_tries' }],
  expiringTables: [
    {
      table: 'checkout_tries',
      key: 'counter_id, minute',
      expiresAt: 'minute',
      indexedBy: 'slot',
      kept_ms: TRIES_WINDOW_MS + MINUTE_MS,
    },
  ],
};
