import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { answers, finish, isRunning, sql, startPostgresProcess } from '../../support/db/embedded-postgres.ts';
import { until } from '../../support/until.ts';

const scratch = mkdtempSync(join(tmpdir(), 'centavo-pg-'));
const children: ChildProcess[] = [];

/** The tests share this cluster one after the other: making one costs more than all else here. */
const dataDir = join(scratch, 'shared');
const data = join(dataDir, 'postgres/data');

before(async () => {
  const postgres = await startEmbeddedPostgres({ dataDir });
  await sql(postgres.url, "create table kept (word text unique); insert into kept values ('first')");
  await postgres.stop();
});

after(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, maxRetries: 50, retryDelay: 20 }); // their servers may take a moment to end
});

/** Starts the server for one test, and stops it after the test. */
async function start(t: TestContext, options: { dataDir?: string; settings?: Record<string, string> } = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir, ...options });
  t.after(() => postgres.stop());
  return postgres;
}

/** In another process, which does not outlive the tests. */
async function elsewhere(directory: string) {
  const starter = await startPostgresProcess(directory);
  children.push(starter.child);
  return starter;
}

const postmasterPid = (of = data) => Number.parseInt(readFileSync(join(of, 'postmaster.pid'), 'utf8'), 10);

test('the first start creates a private UTF-8 cluster in UTC with checksums', async (t) => {
  const postgres = await start(t);
  assert.equal(postgres.owned, true);
  const [row] = await sql(
    postgres.url,
    `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
            current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
            current_setting('listen_addresses') as addresses, current_setting('TimeZone') as zone,
            lower('ÁÇÃO') as lower, 'Z' < 'a' as by_code_point`,
  );
  const durability = { checksums: 'on', fsync: 'on', synchronous_commit: 'on' };
  const text = { encoding: 'UTF8', lower: 'áção', by_code_point: true };
  assert.deepEqual(row, { ...durability, ...text, addresses: '', zone: 'UTC' });
  assert.equal(statSync(postgres.connection.host).mode & 0o777, 0o700);
});

test('a stop is clean and can be repeated, and the next start finds the data', async (t) => {
  const postgres = await start(t);
  assert.deepEqual(await sql(postgres.url, 'select word from kept'), [{ word: 'first' }]);
  const pid = postmasterPid();
  await postgres.stop();
  await postgres.stop();
  assert.equal(isRunning(pid), false);
  assert.equal(existsSync(join(data, 'postmaster.pid')), false);
  assert.match(readFileSync(join(dataDir, 'postgres/server.log'), 'utf8'), /database system is shut down\n$/);
});

test('the connection object and the URL both work', async (t) => {
  const postgres = await start(t);
  const client = new Client(postgres.connection);
  await client.connect();
  assert.equal((await client.query('select current_user as name')).rows[0].name, 'postgres');
  await client.end();
});

test('a failed statement writes no value to the log', async (t) => {
  const postgres = await start(t);
  await sql(postgres.url, "insert into kept values ('4111111111111111')");
  await assert.rejects(sql(postgres.url, "insert into kept values ('4111111111111111')"), { code: '23505' });
  await postgres.stop();
  assert.doesNotMatch(readFileSync(join(dataDir, 'postgres/server.log'), 'utf8'), /4111111111111111/);
});

test('after kill -9 of the owner the server ends, and the next start finds every committed row', async (t) => {
  const owner = await elsewhere(dataDir);
  assert.equal(owner.owned, true);
  const pid = postmasterPid();
  await sql(owner.url, "insert into kept values ('before the kill')");
  owner.child.kill('SIGKILL');
  await until('the server is gone', () => !isRunning(pid));

  const postgres = await start(t);
  assert.equal(postgres.owned, true);
  assert.equal((await sql(postgres.url, "select 1 from kept where word = 'before the kill'")).length, 1);
});

test('a start right after kill -9 of the owner waits for the old server to end', async (t) => {
  const owner = await elsewhere(dataDir);
  const pid = postmasterPid();
  await sql(owner.url, "insert into kept values ('just before the kill')");
  owner.child.kill('SIGKILL');
  await until('the owner is gone', () => owner.child.signalCode === 'SIGKILL');

  const postgres = await start(t);
  await until('this process owns the server', () => postgres.owned); // it may have adopted the old one for a moment
  assert.notEqual(postmasterPid(), pid);
  assert.equal((await sql(postgres.url, "select 1 from kept where word = 'just before the kill'")).length, 1);
});

test('a second process uses the running server, and does not stop it', async (t) => {
  const owner = await elsewhere(dataDir);
  const adopted = await start(t);
  assert.equal(adopted.owned, false);
  assert.equal(adopted.url, owner.url);
  await adopted.stop();
  assert.ok(await answers(owner.url));

  const pid = postmasterPid();
  await finish(owner);
  assert.equal(isRunning(pid), false);
});

test('a process that uses the server of another restarts it when the other stops it', async (t) => {
  const owner = await elsewhere(dataDir);
  const adopted = await start(t);
  const pid = postmasterPid();
  await finish(owner);
  await until('the adopter owns a server', () => adopted.owned);
  assert.notEqual(postmasterPid(), pid);
  assert.equal((await sql(adopted.url, "select 1 from kept where word = 'first'")).length, 1);
});

test('two simultaneous starts on an empty directory share one cluster', async () => {
  const directory = join(scratch, 'race');
  const both = await Promise.all([elsewhere(directory), elsewhere(directory)]);
  assert.deepEqual(both.map(({ owned }) => owned).sort(), [false, true]);
  const [first, second] = await Promise.all(
    both.map(({ url }) => sql(url, 'select system_identifier::text from pg_control_system()')),
  );
  assert.deepEqual(first, second);
  assert.deepEqual(readdirSync(join(directory, 'postgres')).sort(), ['data', 'server.log']);

  const pid = postmasterPid(join(directory, 'postgres/data'));
  for (const starter of both.sort((a, b) => Number(a.owned) - Number(b.owned))) await finish(starter);
  assert.equal(isRunning(pid), false);
});

test('a stale postmaster.pid is removed even if its pid is that of another process of the user', async (t) => {
  const { uid, gid } = statSync(data);
  const stranger = spawn('cat', { uid, gid, cwd: '/', stdio: ['pipe', 'ignore', 'ignore'] });
  children.push(stranger);
  writeFileSync(join(data, 'postmaster.pid'), `${stranger.pid}\n${data}\n1700000000\n5432\n${data}\n\n`);
  const postgres = await start(t);
  assert.equal(postgres.owned, true);
  assert.notEqual(postmasterPid(), stranger.pid);
});

test('the start lock of a dead process is taken over, even if its pid is in use again', async (t) => {
  writeFileSync(join(dataDir, 'postgres/start.lock'), `${process.pid} 1`);
  const postgres = await start(t);
  assert.equal(postgres.owned, true);
  assert.equal(existsSync(join(dataDir, 'postgres/start.lock')), false);
});

test('a killed server is restarted by its owner', async (t) => {
  const postgres = await start(t);
  const pid = postmasterPid();
  await sql(postgres.url, "insert into kept values ('before the crash')");
  process.kill(pid, 'SIGKILL');
  await until('the killed server is gone', () => !isRunning(pid));
  await until('another answers', () => answers(postgres.url));
  assert.notEqual(postmasterPid(), pid);
  assert.equal((await sql(postgres.url, "select 1 from kept where word = 'before the crash'")).length, 1);
  await postgres.stop();
  assert.equal(await answers(postgres.url), false);
});

test('a server that cannot start is reported with the end of its log, and does not block the next start', async (t) => {
  await assert.rejects(
    start(t, { settings: { shared_buffers: 'plenty' } }),
    /invalid value for parameter "shared_buffers"/,
  );
  assert.equal((await start(t)).owned, true);
});

test('a data directory whose path is too long for a socket gets a private socket directory elsewhere', async (t) => {
  const directory = join(scratch, 'deep'.repeat(30));
  const postgres = await start(t, { dataDir: directory, settings: { fsync: 'off' } });
  assert.deepEqual(await sql(postgres.url, 'select 1 as one'), [{ one: 1 }]);
  assert.equal(statSync(postgres.connection.host).mode & 0o777, 0o700);
  await postgres.stop();
  rmSync(postgres.connection.host, { recursive: true });
});
