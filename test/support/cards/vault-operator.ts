import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { SEALED_COLUMNS } from '../../../jobs/index.ts';
import { localSecrets } from '../../../services/vault/local-secrets.ts';
import { openVault, type Vault } from '../../../services/vault/vault.ts';
import type { TestService } from '../service.ts';

/** The pool and the vault of an admin command beside a running service. */
export interface VaultOperator {
  readonly db: Database;
  readonly vault: Vault;
  readonly sealedColumns: typeof SEALED_COLUMNS;
  wall(): Date;
}

/** The caller closes `db`. */
export async function openVaultOperator(service: TestService): Promise<VaultOperator> {
  const db = openDatabase({ url: service.databaseUrl, maxConnections: 2 });
  return { db, vault: await secondVault(service, db), sealedColumns: SEALED_COLUMNS, wall: () => new Date() };
}

/** The vault of another process, with the key versions of now. */
export async function secondVault(service: TestService, db: Database): Promise<Vault> {
  const { vaultKey } = await localSecrets(service.dataDir);
  return openVault(db, [vaultKey]);
}
