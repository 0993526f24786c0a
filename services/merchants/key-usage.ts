import type { Database } from '../../db/engine/database.ts';
import { touchApiKey } from '../../db/merchants/api-keys.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/** Collects in memory which keys were used, and writes this in batches, not once per request. */
export interface KeyUsage {
  used(scope: MerchantScope, keyId: string, at: Date): void;
  /** Writes the collected usage. Returns the number of keys. */
  flush(): Promise<number>;
}

/** Starts to collect. Nothing is written before `flush`. */
export function keyUsage(db: Database): KeyUsage {
  let pending = new Map<string, { scope: MerchantScope; at: Date }>();
  return {
    used: (scope, keyId, at) => {
      pending.set(keyId, { scope, at });
    },
    flush: async () => {
      const batch = pending;
      pending = new Map();
      for (const [keyId, { scope, at }] of batch) await touchApiKey(db, scope, keyId, at);
      return batch.size;
    },
  };
}
