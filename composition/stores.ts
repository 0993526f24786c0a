import { randomBytes } from 'node:crypto';
import type { Config } from '../config.ts';
import { clientClass } from '../db/engine/connect.ts';
import { type Database, openDatabase } from '../db/engine/database.ts';
import { startEmbeddedPostgres } from '../db/engine/embedded-postgres.ts';
import { migrate } from '../db/engine/migrate.ts';
import type { RetryStep } from '../db/engine/start-retries.ts';
import { connectAcquirer } from '../gateway/connect.ts';
import type { Log } from '../services/deps.ts';
import { openKeyedHash } from '../services/vault/keyed-hash.ts';
import { localSecrets } from '../services/vault/local-secrets.ts';
import { openVault } from '../services/vault/vault.ts';

/** What the steps of a start share. */
export interface Start {
  readonly config: Config;
  readonly log: Log;
  readonly retry: RetryStep;
  /** Stops what was started. */
  readonly cleanUp: AsyncDisposableStack;
  /** Aborted when the start is to end early. */
  readonly cancel: AbortSignal;
}

/** Opens the database, the vault and the acquirer. `acquirerSecret` signs the acquirer's notifications. */
export async function openStores(start: Start) {
  const { config, log, retry, cleanUp, cancel } = start;
  const { db, databaseUrl } = await startDatabase(start);
  const { vaultKeys, keyPepper, acquirerSecret } = await secretsOf(config);
  const vault = await retry(() => openVault(db, vaultKeys));
  const hash = await retry(() => openKeyedHash(db, keyPepper));
  // Once, because the class remembers which of several servers accepts writes.
  const Client = clientClass(databaseUrl);
  const gateway = await retry(() =>
    connectAcquirer(
      {
        environment: config.environment,
        url: config.acquirerUrl,
        secret: acquirerSecret,
        databaseUrl,
        Client,
        log,
      },
      cleanUp,
    ),
  );
  cancel.throwIfAborted();
  return { db, vault, hash, gateway, acquirerSecret };
}

/** Starts the embedded Postgres unless `DATABASE_URL` names another, migrates it to the newest schema, and connects. */
async function startDatabase({
  config,
  log,
  retry,
  cleanUp,
  cancel,
}: Start): Promise<{ db: Database; databaseUrl: string }> {
  const logLine = (line: string) => log.info({}, line);
  let { databaseUrl } = config;
  if (databaseUrl === null) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: logLine });
    cleanUp.defer(() => embedded.stop());
    databaseUrl = embedded.url;
  }
  cancel.throwIfAborted();
  const url = databaseUrl;
  await retry(() => migrate(url, config.environment, logLine));
  cancel.throwIfAborted();
  const db = openDatabase({ url, maxConnections: config.databasePool });
  cleanUp.defer(() => db.close());
  return { db, databaseUrl: url };
}

interface Secrets {
  readonly vaultKeys: readonly Buffer[];
  readonly keyPepper: string;
  readonly acquirerSecret: string;
}

/** The secrets of the configuration. In a sandbox, those that are missing are in `DATA_DIR`. */
async function secretsOf(config: Config): Promise<Secrets> {
  const { vaultKeys, keyPepper, acquirerUrl, environment } = config;
  // Without an acquirer there are no notifications. A random secret makes sure that any notification is refused.
  const hasNoAcquirer = environment === 'production' && acquirerUrl === null;
  const acquirerSecret = hasNoAcquirer ? randomBytes(32).toString('hex') : config.acquirerSecret;
  if (vaultKeys !== null && keyPepper !== null && acquirerSecret !== null) {
    return { vaultKeys, keyPepper, acquirerSecret };
  }
  const local = await localSecrets(config.dataDir);
  return {
    vaultKeys: vaultKeys ?? [local.vaultKey],
    keyPepper: keyPepper ?? local.keyPepper,
    acquirerSecret: acquirerSecret ?? local.acquirerSecret,
  };
}
