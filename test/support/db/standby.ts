import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';

const run = promisify(execFile);

/** What belongs to the primary's server alone, in its data directory. */
const OF_ITS_SERVER = /^(postmaster\.|\.s\.PGSQL)/;

/**
 * Starts a standby in `dataDir` that follows the primary of `primaryDir`: it serves reads, and refuses writes until it
 * is promoted (`select pg_promote()`).
 */
export async function startStandby(
  primary: EmbeddedPostgres,
  primaryDir: string,
  dataDir: string,
  settings: Record<string, string>,
): Promise<EmbeddedPostgres> {
  const home = join(dataDir, 'postgres');
  const data = join(home, 'data');
  await mkdir(home, { recursive: true });
  const client = new Client(primary.url);
  await client.connect();
  try {
    await client.query("select pg_backup_start('standby', true)");
    await run('cp', ['-a', join(primaryDir, 'postgres/data'), data]);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    for (const name of await readdir(data)) {
      if (OF_ITS_SERVER.test(name)) await rm(join(data, name));
    }
    const { uid, gid } = await stat(data);
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ]) {
      await writeFile(join(data, name), text);
      await chown(join(data, name), uid, gid);
    }
    const { host, port, user } = primary.connection;
    await appendFile(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${host} port=${port} user=${user}'\n`,
    );
  } finally {
    await client.end();
  }
  return startEmbeddedPostgres({ dataDir, settings });
}
