import { DAY_MS } from '../../domain/durations.ts';
import type { Area } from '../area.ts';

/** 13 months (contract row 13.22). */
const EVENTS_KEPT_MS = 396 * DAY_MS;

export const events: Area = {
  expiringTables: [
    {
      table: 'events',
      key: 'id',
      expiresAt: 'created_at',
      indexedBy: 'merchant',
      // By the merchant's clock, which in the sandbox can be ahead of wall time. So no event is deleted early.
      kept_ms: EVENTS_KEPT_MS,
      withRows: { table: 'event_positions', column: 'event_id' },
    },
  ],
  merchantTables: [
    { table: 'events', countedAs: 'events' },
    { table: 'event_feeds', lockedBy: 'merchant_id' },
    { table: 'event_outbox' },
    { table: 'event_positions' },
  ],
};
