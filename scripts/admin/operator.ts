import { randomBytes } from 'node:crypto';
import { type Config, readConfig } from '../../config.ts';
import { openDatabase } from '../../db/engine/database.ts';
import { startEmbeddedPostgres } from '../../db/engine/embedded-postgres.ts';
import { migrate } from '../../db/engine/migrate.ts';
import { startRetries } from '../../db/engine/start-retries.ts';
import { connectAcquirer } from '../../gateway/connect.ts';
import type { SettlementFiles } from '../../gateway/settlement-files.ts';
import type { Deps } from '../../services/deps.ts';
import { openKeyedHash } from '../../services/vault/keyed-hash.ts';
import { localSecrets } from '../../services/vault/local-secrets.ts';
import { openVault } from '../../services/vault/vault.ts';

/** What the commands work with: the parts of the service without its listeners, jobs and acquirer. */
export interface Operator
  extends Pick<Deps, 'environment' | 'db' | 'vault' | 'hash' | 'wall' | 'random'>,
    AsyncDisposable {
  /** Master keys of the vault, newest first. */
  readonly masterKeys: readonly Buffer[];
  readonly databaseUrl: string;
  /** Connects the acquirer's settlement files. In a sandbox without `ACQUIRER_URL`, they are those of the simulator. */
  settlementFiles(): Promise<SettlementFiles>;
}

const MAX_CONNECTIONS = 2;

/** Failures of the simulator's background work are reported by the service. */
const SILENT = { error() {} };

/**
 * The address of the configured database. Starts the embedded Postgres, or uses the one that a running service started.
 */
export async function databaseUrlOf(config: Config, cleanUp: AsyncDisposableStack): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  cleanUp.defer(() => embedded.stop());
  return embedded.url;
}

/** Opens the configured database with the configured secrets, after it was migrated to the newest schema. */
export async function openOperator(env: NodeJS.ProcessEnv): Promise<Operator> {
  const config = readConfig(env);
  await using cleanUp = new AsyncDisposableStack();
  const url = await databaseUrlOf(config, cleanUp);
  const retry = startRetries({});
  await retry(() => migrate(url, config.environment));
  const { masterKeys, pepper, acquirerSecret } = await secretsOf(config);
  const db = openDatabase({ url, maxConnections: MAX_CONNECTIONS });
  cleanUp.defer(() => db.close());
  // Every command opens them, so that secrets of another database are reported before anything is written.
  const vault = await retry(() => openVault(db, masterKeys));
  const hash = await retry(() => openKeyedHash(db, pepper));
  const opened = cleanUp.move();
  return {
    environment: config.environment,
    db,
    vault,
    masterKeys,
    databaseUrl: url,
    hash,
    wall: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    settlementFiles: async () => {
      const { environment, acquirerUrl } = config;
      const options = {
        environment,
        url: acquirerUrl,
        secret: acquirerSecret,
        databaseUrl: url,
        log: SILENT,
      };
      return (await connectAcquirer(options, opened)).settlementFiles;
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function secretsOf({ vaultKeys, keyPepper, acquirerSecret, dataDir }: Config) {
  if (vaultKeys !== null && keyPepper !== null) {
    return { masterKeys: vaultKeys, pepper: keyPepper, acquirerSecret: acquirerSecret ?? randomSecret() };
  }
  const local = await localSecrets(dataDir);
  return {
    masterKeys: vaultKeys ?? [local.vaultKey],
    pepper: keyPepper ?? local.keyPepper,
    acquirerSecret: acquirerSecret ?? local.acquirerSecret,
  };
}

/** For a simulator that no other process calls. */
function randomSecret(): string {
  return randomBytes(32).toString('hex');
}
