import { responseContext } from '../services/idempotency.ts';
import type { Area } from './area.ts';

/** The idempotency keys of requests, in all areas. */
export const requests: Area = {
  sealedColumns: [
    {
      table: 'idempotency_keys',
      column: 'response_sealed',
      key: 'key',
      keyType: 'text',
      context: ({ merchantId, key }) => responseContext(merchantId, key),
    },
  ],
  expiringTables: [
    { table: 'idempotency_keys', key: 'key', expiresAt: 'expires_at', indexedBy: 'slot', kept_ms: 0 },
  ],
  merchantTables: [{ table: 'idempotency_keys', requestColumn: 'resource_id' }],
};
