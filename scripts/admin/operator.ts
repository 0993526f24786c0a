import { randomBytes } from 'node:crypto';
import { type Config, readConfig } from '../../config.ts';
import { openDatabase } from '../../db/engine/database.ts';
import { startEmbeddedPostgres } from '../../db/engine/embedded-postgres.ts';
import { migrate } from '../../db/engine/migrate.ts';
import { startRetries } from '../../db/engine/start-retries.ts';
import type { Deps } from '../../services/deps.ts';
import { openKeyedHash } from '../../services/vault/keyed-hash.ts';
import { localSecrets } from '../../services/vault/local-secrets.ts';
import { openVault } from '../../services/vault/vault.ts';

/** What administration works with: the service's own parts, without its listeners, jobs and acquirer. */
export interface Operator
  extends Pick<Deps, 'environment' | 'db' | 'vault' | 'hash' | 'wall' | 'random'>,
    AsyncDisposable {
  /** Master keys of the vault, newest first. */
  readonly masterKeys: readonly Buffer[];
}

const MAX_CONNECTIONS = 2;

/** The address of the configured database; the embedded one is started, or adopted where the service runs it. */
export async function databaseUrlOf(config: Config, cleanUp: AsyncDisposableStack): Promise<string> {
  if (config.databaseUrl !== null) return config.databaseUrl;
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir });
  cleanUp.defer(() => embedded.stop());
  return embedded.url;
}

/** Opens the configured database, at the newest schema, with the secrets of the configuration. */
export async function openOperator(env: NodeJS.ProcessEnv): Promise<Operator> {
  const config = readConfig(env);
  await using cleanUp = new AsyncDisposableStack();
  const url = await databaseUrlOf(config, cleanUp);
  const retry = startRetries({});
  await retry(() => migrate(url, config.environment));
  const { masterKeys, pepper } = await secretsOf(config);
  const db = openDatabase({ url, maxConnections: MAX_CONNECTIONS });
  cleanUp.defer(() => db.close());
  // Opened whatever the command: secrets that do not belong to this database are told before anything is written.
  const vault = await retry(() => openVault(db, masterKeys));
  const hash = await retry(() => openKeyedHash(db, pepper));
  const opened = cleanUp.move();
  return {
    environment: config.environment,
    db,
    vault,
    masterKeys,
    hash,
    wall: () => new Date(),
    random: (bytes) => randomBytes(bytes),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function secretsOf({ vaultKeys, keyPepper, dataDir }: Config) {
  if (vaultKeys !== null && keyPepper !== null) return { masterKeys: vaultKeys, pepper: keyPepper };
  const local = await localSecrets(dataDir);
  return { masterKeys: vaultKeys ?? [local.vaultKey], pepper: keyPepper ?? local.keyPepper };
}
