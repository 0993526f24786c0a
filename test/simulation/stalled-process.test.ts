import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../db/engine/migrate.ts';
import { testDatabase } from '../support/database.ts';
import { reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { killWithParent } from '../support/processes/kill-with-parent.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { request } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { assertRefused, Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';

/** Others wait for a row at most 10 s; by then the transaction of a stopped process must be over. */
const LIMIT_MS = 10_000;

const service = await sharedService({ jobs: false });

function isStopped({ pid }: ChildProcess): boolean {
  return execFileSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).startsWith('T');
}

/** A service on the same database that stops itself in the transaction that makes a payment `status`. */
const startStalling = (status: string) =>
  startServiceProcess(service, { program: 'stalling-program.ts', env: { STALL_AT: status } });

describe('a process that stops inside a transaction', () => {
  test('locks a payment for a few seconds, and then answers 503', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.authorized();
    await using cleanUp = new AsyncDisposableStack();
    const { child, url } = await startStalling('paid');
    cleanUp.defer(() => void child.kill('SIGKILL'));
    const path = `/payments/${id}/capture`;
    const capture = request(url, shop.onboarded.apiKey, 'POST', path, { idempotencyKey: 'k' });
    capture.catch(() => {});
    await until('it has stopped', () => isStopped(child));

    const begun = performance.now();
    const other = await shop.capture(id);
    const took_ms = performance.now() - begun;
    assert.ok(took_ms < LIMIT_MS, `another process waited ${took_ms} ms`);
    assertRefused(other, 'status');
    await reconcile(service, 25_000);
    assert.equal((await shop.payment(id)).status, 'paid', 'it settled the capture');

    child.kill('SIGCONT');
    const { status } = await capture;
    assert.equal(status, 503);
    service.setAhead(0);
    const again = await request(url, shop.onboarded.apiKey, 'POST', path, { idempotencyKey: 'k' });
    assert.deepEqual([again.status, again.body.status], [200, 'paid'], again.text);
    const { captured_amount } = await shop.payment(id);
    assert.equal(captured_amount, 10_000);
    assert.equal(
      (await shop.eventNames(id)).filter((name) => name === 'payment.capture_confirmed').length,
      1,
    );
    await assertAcquirerAgrees(service, shop.account);
  });

  test('does not block a migration by another process', async () => {
    const database = await testDatabase();
    await using cleanUp = new AsyncDisposableStack();
    cleanUp.defer(() => database.drop());
    const client = new Client(database.url);
    await client.connect();
    cleanUp.defer(() => client.end());
    await client.query('drop schema public cascade; create schema public');
    const program = `
      import { migrate } from '${join(import.meta.dirname, '../../db/engine/migrate.ts')}';
      let hasStalled = false;
      const stall = () => {
        if (!hasStalled) process.kill(process.pid, 'SIGSTOP');
        hasStalled = true;
      };
      await migrate(process.argv[1], 'sandbox', stall).catch((error) => console.log(error.message));`;
    const args = ['--input-type=module', '-e', program, database.url];
    const child = killWithParent(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }));
    cleanUp.defer(() => void child.kill('SIGKILL'));
    await until('it has stopped', () => isStopped(child));
    const begun = performance.now();
    await migrate(database.url, 'sandbox');
    assert.ok(performance.now() - begun < LIMIT_MS);
    child.kill('SIGCONT');
    const [line] = await once(createInterface(child.stdout), 'line');
    assert.match(line, /^Migration 001-merchants\.sql failed: /);
  });
});
