/**
 * Runs the simulated acquirer in a separate process, to rehearse production without a real one. It listens at
 * ACQUIRER_URL on this machine, shares ACQUIRER_SECRET with the service, stores its records in an embedded Postgres
 * under DATA_DIR, and sends its notifications to the service on PORT. Ctrl-C stops it.
 *
 * Usage: make acquirer
 */
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { assertEnvironmentAt, WrongEnvironment } from '../db/engine/database-environment.ts';
import { startEmbeddedPostgres } from '../db/engine/embedded-postgres.ts';
import { startRetries } from '../db/engine/start-retries.ts';
import { migrateSimulator } from '../gateway/simulator/migrate.ts';
import { startSimulator } from '../gateway/simulator/start.ts';
import { sentenceOf } from './admin/sentence.ts';

const DEFAULT_URL = 'http://127.0.0.1:9500';

/** The port to listen on. Throws `ConfigError`: the simulator listens only on the loopback address. */
function portOf({ acquirerUrl }: Config): number {
  const { protocol, hostname, port, pathname } = new URL(acquirerUrl ?? DEFAULT_URL);
  if (protocol === 'http:' && hostname === '127.0.0.1' && port !== '' && pathname === '/')
    return Number(port);
  throw new ConfigError(`ACQUIRER_URL must be such as ${DEFAULT_URL} for the simulated acquirer.`);
}

await using cleanUp = new AsyncDisposableStack();
try {
  // The variables that production requires of the service are not required here.
  const config = readConfig({ ...process.env, PAYMENTS_ENV: 'sandbox' });
  const port = portOf(config);
  if (config.acquirerSecret === null) throw new ConfigError('ACQUIRER_SECRET must be set.');
  const stopped = new Promise((stop) => process.once('SIGINT', stop).once('SIGTERM', stop));
  const books = await startEmbeddedPostgres({ dataDir: join(config.dataDir, 'acquirer') });
  cleanUp.defer(() => books.stop());
  const retry = startRetries({});
  await retry(() => assertEnvironmentAt(books.url, 'sandbox')).catch((error: unknown) => {
    if (!(error instanceof WrongEnvironment)) throw error;
    throw new ConfigError(
      'DATA_DIR must be another one: its folder acquirer holds a database of production.',
    );
  });
  await retry(() => migrateSimulator(books.url));
  const notificationUrl = `http://127.0.0.1:${config.port}/gateway/notifications`;
  const simulator = await startSimulator({
    databaseUrl: books.url,
    secret: config.acquirerSecret,
    notificationUrl,
    port,
    log: pino({ level: config.logLevel }, pino.destination({ dest: 2, sync: false })),
  });
  cleanUp.defer(() => simulator.stop());
  process.stdout.write(
    `The simulated acquirer answers at ${simulator.url} and notifies ${notificationUrl}.\n`,
  );
  await stopped;
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
