import { type Database, openDatabase } from '../../../db/engine/database.ts';
import type { Deps } from '../../../services/deps.ts';
import { authenticate, type Principal } from '../../../services/merchants/authenticate.ts';
import { keyedHash } from '../../../services/vault/keyed-hash.ts';
import { testDatabase } from '../../support/database.ts';
import { type Admin, startAdmin } from './admin.ts';

/** An unknown id. */
export const UNKNOWN_ID = '01900000-0000-7000-8000-000000000000';

export interface CreatedMerchant {
  readonly merchant_id: string;
  readonly api_key: string;
  readonly encryption_key: string;
}

/** The admin command on a new migrated database. */
export interface AdminDatabase extends Admin {
  readonly db: Database;
  createMerchant(...flags: string[]): Promise<CreatedMerchant>;
  /** What the service would say to a key of the sandbox. */
  whoIs(apiKey: string): Promise<Principal>;
}

export async function adminDatabase(): Promise<AdminDatabase> {
  const database = await testDatabase();
  const db = openDatabase({ url: database.url });
  const admin = await startAdmin(database.url);
  const deps = { environment: 'sandbox', db, hash: keyedHash(admin.pepper) } as Deps;
  return {
    ...admin,
    db,
    createMerchant: (...flags) =>
      admin.json<CreatedMerchant>('merchant', 'create', '--name', 'Padaria Aurora', ...flags),
    whoIs: (apiKey) => authenticate(deps, apiKey),
    async remove() {
      await admin.remove();
      await db.close();
      await database.drop();
    },
  };
}
