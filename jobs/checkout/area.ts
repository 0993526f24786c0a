import { MINUTE_MS } from '../../domain/durations.ts';
import { TRIES_WINDOW_MS } from '../../services/checkout/card-tries.ts';
import { typedCardsOfPayments } from '../../services/checkout/follow-payments.ts';
import type { Area } from '../area.ts';

export const checkout: Area = {
  paymentListeners: [typedCardsOfPayments],
  merchantTables: [{ table: 'checkout_tries' }],
  expiringTables: [
    {
      table: 'checkout_tries',
      key: 'counter_id, minute',
      expiresAt: 'minute',
      indexedBy: 'slot',
      isInAnySlot: true,
      kept_ms: TRIES_WINDOW_MS + MINUTE_MS,
    },
  ],
};
