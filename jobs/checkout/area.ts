import { TRIES_WINDOW_MS } from '../../services/checkout/card-tries.ts';
import { discardTypedCards } from '../../services/checkout/discard-cards.ts';
import { type Area, MINUTE_MS } from '../area.ts';

export const checkout: Area = {
  paymentListeners: [discardTypedCards],
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
