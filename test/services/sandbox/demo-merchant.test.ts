import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { listMerchants } from '../../../db/merchants/merchants.ts';
import { type Deps, returnResult } from '../../../services/deps.ts';
import { authenticate } from '../../../services/merchants/authenticate.ts';
import { createMerchant } from '../../../services/merchants/create-merchant.ts';
import { demoMerchant } from '../../../services/sandbox/demo-merchant.ts';
import { keyedHash } from '../../../services/vault/keyed-hash.ts';
import { memoryVault } from '../../support/cards/memory-vault.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { sql } from '../../support/db/embedded-postgres.ts';
import { until } from '../../support/until.ts';

describe('the demo merchant', () => {
  let database: TestDatabase;
  let db: Database;
  let deps: Deps;
  let folder: string;
  beforeEach(async () => {
    database = await testDatabase();
    db = openDatabase({ url: database.url });
    folder = await mkdtemp(join(tmpdir(), 'centavo-demo-'));
    deps = {
      environment: 'sandbox',
      db,
      vault: await memoryVault(),
      hash: keyedHash('a pepper of the tests'),
      wall: () => new Date(),
      random: randomBytes,
    } as unknown as Deps;
  });
  afterEach(async () => {
    await db.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  const count = async () => (await listMerchants(db)).length;
  const merchantOf = async (apiKey: string) => (await authenticate(deps, apiKey)).merchant.merchantId;

  /** With this between the work of a transaction and its commit. */
  const afterWork = (act: () => Promise<void>): Deps => {
    const transaction: Database['transaction'] = (scope, work) =>
      db.transaction(scope, async (tx) => {
        const result = await work(tx);
        await act();
        return result;
      });
    return { ...deps, db: { ...db, transaction } };
  };

  it('is the same for all processes that start at once with one DATA_DIR', async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => demoMerchant(deps, folder)));
    assert.equal(await count(), 1);
    const [first] = made;
    assert.equal(await merchantOf(first!.apiKey), first!.merchantId);
    assert.deepEqual(made, Array(4).fill(first));
  });

  it('is created once for processes with different DATA_DIRs, and its key is in one of them', async () => {
    const folders = [1, 2, 3, 4].map((n) => join(folder, `${n}`));
    const made = await Promise.all(folders.map((one) => demoMerchant(deps, one)));
    assert.equal(await count(), 1);
    const known = made.filter((demo) => demo !== null);
    assert.equal(known.length, 1);
    assert.equal(await merchantOf(known[0]!.apiKey), known[0]!.merchantId);
  });

  it('is not created while another process creates it', async () => {
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const first = demoMerchant(
      afterWork(async () => {
        written.resolve();
        await commit.promise;
      }),
      folder,
    );
    await written.promise;
    let isOver = false;
    const second = demoMerchant(deps, join(folder, '2')).finally(() => {
      isOver = true;
    });
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    await until('the second waits', async () => isOver || (await sql(database.url, waiting)).length === 1);
    commit.resolve();
    assert.equal(await merchantOf((await first)!.apiKey), (await first)!.merchantId);
    assert.equal(await second, null);
    assert.equal(await count(), 1);
  });

  it('is not created if its key cannot be written', async () => {
    const nowhere = join('/dev/null', 'data');
    await assert.rejects(demoMerchant(deps, nowhere), /^Error: DATA_DIR cannot be used: .*\.$/);
    await mkdir(join(folder, 'demo.json'));
    await assert.rejects(demoMerchant(deps, folder), /EISDIR/);
    assert.equal(await count(), 0);
  });

  it('is created by the next start if the process was killed after it wrote the key', async () => {
    const dying = afterWork(async () => {
      throw new Error('killed');
    });
    await assert.rejects(demoMerchant(dying, folder), /killed/);
    assert.equal(await count(), 0);
    const demo = await demoMerchant(deps, folder);
    assert.equal(await merchantOf(demo!.apiKey), demo!.merchantId);
    assert.equal(await count(), 1);
    assert.deepEqual(await demoMerchant(deps, folder), demo);
  });

  it('needs no DATA_DIR if the database has other merchants', async () => {
    await createMerchant(deps, { name: 'Padaria Aurora' }, returnResult);
    assert.equal(await demoMerchant(deps, '/dev/null/nowhere'), null);
  });

  it('is not created if the database has other merchants', async () => {
    await createMerchant(deps, { name: 'Padaria Aurora' }, returnResult);
    assert.equal(await demoMerchant(deps, folder), null);
    assert.equal(await count(), 1);
  });
});
