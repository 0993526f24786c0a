import type { Database } from '../../db/engine/database.ts';
import { touchApiKey } from '../../db/merchants/api-keys.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/** Collects in memory which keys were used, and writes this in batches, not once per request. */
export interface KeyUsage {
  used(scope: MerchantScope, keyId: string, at: Date): void;
  /** Writes the collected usage. Returns the number of keys. What could not be written is written the next time. */
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
      const left = new Map(batch);
      try {
        for (const [keyId, { scope, at }] of batch) {
          // One that cannot be written comes last the next time, so that it does not delay the others.
          left.delete(keyId);
          left.set(keyId, { scope, at });
          await touchApiKey(db, scope, keyId, at);
          left.delete(keyId);
        }
      } finally {
        pending = new Map([...left, ...pending]);
      }
      return batch.size;
    },
  };
}
