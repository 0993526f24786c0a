import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { takeStartLock } from '../../../db/engine/embedded/start-lock.ts';
import { startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { isRunning, sql, startPostgresProcess } from '../../support/db/embedded-postgres.ts';
import { killWithParent } from '../../support/processes/kill-with-parent.ts';
import { until } from '../../support/until.ts';

/** Every start and every stop here must be over by then. */
const LIMIT_MS = 60_000;

const scratch = mkdtempSync(join(tmpdir(), 'centavo-pg-'));
const children: ChildProcess[] = [];
const frozen = new Set<number>();

after(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const pid of frozen) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // It was killed, as it should be.
    }
  }
  rmSync(scratch, { recursive: true, maxRetries: 50, retryDelay: 200 });
});

/** A new cluster for each test. The tests run at the same time, because most of their time is waiting. */
async function newCluster(name: string) {
  const dataDir = join(scratch, name);
  const postgres = await startEmbeddedPostgres({ dataDir });
  await sql(postgres.url, "create table kept (word text); insert into kept values ('first')");
  await postgres.stop();
  const file = (path: string) => readFileSync(join(dataDir, 'postgres', path), 'utf8');
  return {
    dataDir,
    url: postgres.url,
    start: () => startEmbeddedPostgres({ dataDir }),
    async elsewhere() {
      const starter = await startPostgresProcess(dataDir);
      children.push(starter.child);
      return starter;
    },
    serverPid: () => Number.parseInt(file('data/postmaster.pid'), 10),
    isStopping: () => /^stopping\s*$/m.test(file('data/postmaster.pid')),
    isRecovering: () => file('server.log').includes('reinitializing'),
  };
}

type Cluster = Awaited<ReturnType<typeof newCluster>>;

/** Stops a process until the end of the tests, or until it is killed. */
function freeze(pid: number): void {
  frozen.add(pid);
  process.kill(pid, 'SIGSTOP');
}

/** The parent of a process and its other children: the shell that watches the server, and its helper. */
function watchersOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const shell = rows.find(([of]) => of === pid)![1];
  return [shell, ...rows.filter(([of, parent]) => parent === shell && of !== pid).map(([of]) => of)];
}

/** The pid of a backend that is at work. */
async function busyBackend(url: string): Promise<number> {
  sql(url, 'select pg_sleep(600)').catch(() => {});
  let pid: unknown;
  await until('it sleeps', async () => {
    const query = `select pid from pg_stat_activity where query = 'select pg_sleep(600)' and state = 'active'`;
    pid = (await sql(url, query))[0]?.pid;
    return pid !== undefined;
  });
  return pid as number;
}

/** Fails where `work` takes too long. */
async function inTime(what: string, work: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  await work();
  const took_ms = Math.round(performance.now() - begun);
  assert.ok(took_ms < LIMIT_MS, `${what} took ${took_ms} ms`);
}

/** Starts Postgres again; fails where that takes too long, or where a committed row is lost. */
async function startAgain(cluster: Cluster, words: readonly string[] = ['first']): Promise<void> {
  const started: Awaited<ReturnType<Cluster['start']>>[] = [];
  await inTime('the start', async () => {
    started.push(await cluster.start());
  });
  const [postgres] = started;
  let found: unknown[] = [];
  // The server of a killed owner may accept a connection just before it ends. It is then started again.
  await until('the rows can be read', async () => {
    const rows = await sql(postgres!.url, 'select word from kept').catch(() => undefined);
    found = rows?.map(({ word }) => word) ?? [];
    return rows !== undefined;
  });
  await postgres!.stop();
  for (const word of words) assert.ok(found.includes(word), `the row ${word} is lost`);
}

describe('an embedded Postgres that does not end by itself', { concurrency: true }, () => {
  test('does not block a start after a backend and then its owner were killed', async () => {
    const cluster = await newCluster('killed');
    const words = ['first'];
    for (const word of ['second', 'third']) {
      const owner = await cluster.elsewhere();
      const backend = await busyBackend(owner.url);
      await sql(owner.url, `insert into kept values ('${word}')`);
      words.push(word);
      process.kill(backend, 'SIGKILL');
      // During its recovery Postgres does not finish a fast shutdown.
      await until('the server recovers', cluster.isRecovering);
      owner.child.kill('SIGKILL');
      await startAgain(cluster, words);
    }
  });

  test('is ended by the next start if its watcher was killed', async () => {
    const cluster = await newCluster('unwatched');
    const owner = await cluster.elsewhere();
    const server = cluster.serverPid();
    freeze(await busyBackend(owner.url));
    for (const pid of watchersOf(server)) process.kill(pid, 'SIGKILL');
    process.kill(server, 'SIGINT');
    await until('it stops', cluster.isStopping);
    owner.child.kill('SIGKILL');
    await startAgain(cluster);
    assert.equal(isRunning(server), false);
  });

  test('does not block a stop if a backend does not end', async () => {
    const cluster = await newCluster('backend');
    const postgres = await cluster.start();
    const server = cluster.serverPid();
    freeze(await busyBackend(postgres.url));
    await inTime('the stop', () => postgres.stop());
    assert.equal(isRunning(server), false);
    await startAgain(cluster);
  });

  test('does not block a stop if it ignores signals', async () => {
    const cluster = await newCluster('deaf');
    const postgres = await cluster.start();
    const server = cluster.serverPid();
    freeze(server);
    await inTime('the stop', () => postgres.stop());
    assert.equal(isRunning(server), false);
    await startAgain(cluster);
  });

  test('does not block a stop during another start', async () => {
    const cluster = await newCluster('locked');
    const postgres = await cluster.start();
    const patience = { deadline: performance.now() + LIMIT_MS, signal: new AbortController().signal };
    const unlock = await takeStartLock(join(cluster.dataDir, 'postgres/start.lock'), patience);
    const server = cluster.serverPid();
    process.kill(server, 'SIGKILL');
    await until('the server is gone', () => !isRunning(server));
    await inTime('the stop', () => postgres.stop());
    unlock();
    await startAgain(cluster);
  });

  test('does not prevent the service from stopping after a backend was killed', async () => {
    const cluster = await newCluster('service');
    const env = { PATH: process.env.PATH, DATA_DIR: cluster.dataDir, PORT: '0', INTERNAL_PORT: '0' };
    const main = join(import.meta.dirname, '../../../main.ts');
    const child = killWithParent(
      spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'ignore'] }),
    );
    children.push(child);
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    process.kill(await busyBackend(cluster.url), 'SIGKILL');
    await until('the server recovers', cluster.isRecovering);
    await inTime('the stop', async () => {
      child.kill('SIGINT');
      assert.deepEqual(await ended, [0, null]);
    });
    await startAgain(cluster);
  });
});
