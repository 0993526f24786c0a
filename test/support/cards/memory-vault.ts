import type { Database } from '../../../db/engine/database.ts';
import { openVault, type Vault } from '../../../services/vault/vault.ts';

/** A vault with its keys in memory, for tests without a database. */
export async function memoryVault(): Promise<Vault> {
  const keys: object[] = [];
  const db = {
    anywhere: async (sql: string, params: { version: number; wrapped_key: Buffer }) => {
      if (sql.startsWith('select')) return keys;
      keys.unshift({ version: params.version, wrapped_key: params.wrapped_key });
      return [{ version: params.version }];
    },
  };
  return openVault(db as unknown as Database, [Buffer.alloc(32, 7)]);
}
