/** `admin reconcile` while the acquirer has no file of some days, or of some merchants. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { addDays } from '../../domain/business-days.ts';
import { merchantDay, startOfMerchantDay } from '../../domain/local-time.ts';
import { settlementFile } from '../../gateway/simulator/settlements.ts';
import { reconcileDays } from '../support/run-jobs.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { runAdmin } from './support/admin.ts';

const DAY = merchantDay(new Date());
const shops: Shop[] = [];
/** The files that the acquirer does not have: `<account> <day>`. */
const missing = new Set<string>();

let service: TestService;
let env: Record<string, string>;
const cleanUp = new AsyncDisposableStack();
before(async () => {
  service = await startTestService({ jobs: false });
  cleanUp.defer(() => service.stop());
  for (let at = 0; at < 3; at += 1) {
    shops.push(await Shop.open(service));
    await shops[at]!.cardPayment();
  }
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  cleanUp.defer(() => pool.end());
  const acquirer = createServer(async (request, response) => {
    const { account, day } = (await json(request)) as { account: string; day: string };
    if (missing.has(`${account} ${day}`)) return response.writeHead(404).end('{}');
    response.end(JSON.stringify({ file: await settlementFile(pool, account, day) }));
  }).listen(0, '127.0.0.1');
  await once(acquirer, 'listening');
  cleanUp.defer(() => {
    acquirer.close();
    acquirer.closeAllConnections();
  });
  env = {
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: service.dataDir,
    ACQUIRER_URL: `http://127.0.0.1:${(acquirer.address() as AddressInfo).port}`,
    ACQUIRER_SECRET: 'a secret of the tests, long enough to pass',
  };
});
after(() => cleanUp.disposeAsync());

const reconcile = (...more: string[]) => runAdmin(env, ['reconcile', '--day', DAY, ...more]);
const compared = (shop: Shop) => ({ merchant_id: shop.account, lines: 1, differences: [] });

test('the files of the day before and of the day after are optional', async () => {
  missing.clear();
  for (const { account } of shops) {
    for (const days of [-1, 1]) missing.add(`${account} ${addDays(DAY, days)}`);
  }
  const { status, stdout, stderr } = await reconcile('--json');
  assert.deepEqual([status, stderr], [0, '']);
  const result: Json = JSON.parse(stdout);
  for (const shop of shops) {
    const found = result.merchants.find(({ merchant_id }: Json) => merchant_id === shop.account);
    assert.deepEqual(found, compared(shop));
  }
  assert.deepEqual(result.failed, []);
});

test('a merchant without a file of the day is named, and the others are compared', async () => {
  missing.clear();
  const [first, without, last] = shops as [Shop, Shop, Shop];
  missing.add(`${without.account} ${DAY}`);
  const { status, stdout, stderr } = await reconcile('--json');
  const { merchants, failed }: Json = JSON.parse(stdout);
  const count = merchants.length + 1;
  assert.deepEqual([status, stderr], [1, `${DAY} was not compared for 1 of ${count} merchants.\n`]);
  for (const shop of [first, last]) {
    const found = merchants.find(({ merchant_id }: Json) => merchant_id === shop.account);
    assert.deepEqual(found, compared(shop));
  }
  const cause = 'The acquirer gave no settlement file: status_404.';
  assert.deepEqual(failed, [{ merchant_id: without.account, cause }]);

  const text = await reconcile();
  assert.deepEqual([text.status, text.stderr], [1, stderr]);
  const [summary, header, row, ...rest] = text.stdout.trimEnd().split('\n');
  assert.equal(summary, `${DAY}: 2 lines of ${merchants.length} merchants, 0 differences.`);
  assert.match(header!, /^merchant_id +cause$/);
  assert.equal(row, `${without.account}  ${cause}`);
  assert.deepEqual(rest, []);
});

test('fails if no merchant was compared', async () => {
  missing.clear();
  const [shop] = shops as [Shop];
  missing.add(`${shop.account} ${DAY}`);
  const { status, stderr } = await reconcile('--merchant', shop.account);
  assert.deepEqual([status, stderr], [1, `${DAY} was not compared for 1 of 1 merchants.\n`]);
});

describe('a day whose file the nightly comparison waits for', () => {
  const [BEFORE, WAITING] = [addDays(DAY, -4), addDays(DAY, -3)];
  const lastCompared = async ({ account }: Shop) => {
    const [row] = await service.rows<{ day: string }>(
      'select day from reconciled_days where merchant_id = :account',
      { account },
    );
    return row!.day;
  };
  /** Runs the nightly job at 8 in the morning of a day. */
  const night = (day: string) => {
    service.setAhead(startOfMerchantDay(day).getTime() + 8 * 3_600_000 - Date.now());
    return reconcileDays(service.deps);
  };
  let shop: Shop;
  before(async () => {
    shop = await Shop.open(service);
    missing.clear();
    await night(addDays(BEFORE, 1));
    assert.equal(await lastCompared(shop), BEFORE);
    missing.add(`${shop.account} ${WAITING}`);
  });
  const reconcileOn = (day: string, ...more: string[]) =>
    runAdmin(env, ['reconcile', '--day', day, '--merchant', shop.account, ...more]);

  test('is not skipped by a day without a file, nor by a later day', async () => {
    assert.equal((await reconcileOn(WAITING)).status, 1);
    assert.equal((await reconcileOn(addDays(WAITING, 1))).status, 0);
    assert.equal(await lastCompared(shop), BEFORE);
  });

  test('is compared by an operator with a file from the disk, and the nightly comparison goes on after it', async () => {
    const path = join(service.dataDir, 'settlement.csv');
    await writeFile(path, 'reference,type,amount,occurred_at\n');
    assert.equal((await reconcileOn(WAITING, '--file', path)).status, 0);
    assert.equal(await lastCompared(shop), WAITING);
    await night(addDays(DAY, 1));
    assert.equal(await lastCompared(shop), DAY);
  });

  test('is compared again at night if an operator compares it before its file is complete', async () => {
    assert.equal((await reconcileOn(addDays(DAY, 1))).status, 0);
    assert.equal(await lastCompared(shop), DAY);
  });
});
