/**
 * Migrates the database of DATABASE_URL or DATA_DIR to the newest schema. The service also does this when it starts.
 * Run it before you start several processes.
 *
 * Usage: npm run -s migrate
 */
import { readConfig } from '../config.ts';
import { clientClass } from '../db/engine/connect.ts';
import { migrate } from '../db/engine/migrate.ts';
import { startRetries } from '../db/engine/start-retries.ts';
import { migrateSimulator } from '../gateway/simulator/migrate.ts';
import { databaseUrlOf } from './admin/operator.ts';
import { sentenceOf } from './admin/sentence.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

try {
  const config = readConfig(process.env);
  await using cleanUp = new AsyncDisposableStack();
  const url = await databaseUrlOf(config, cleanUp);
  const retry = startRetries({});
  await retry(() => migrate(url, config.environment, print));
  if (config.environment === 'sandbox' && config.acquirerUrl === null)
    await retry(() => migrateSimulator(url, { Client: clientClass(url) }));
  print('The database has the newest schema.');
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
