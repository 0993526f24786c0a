import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { addDays } from '../../domain/business-days.ts';
import { merchantDay } from '../../domain/local-time.ts';
import { settlementFile } from '../../gateway/simulator/settlements.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import { adminWith } from './support/admin.ts';
import { UNKNOWN_ID } from './support/admin-database.ts';

let service: TestService;
let admin: ReturnType<typeof adminWith>;
let pool: pg.Pool;
before(async () => {
  service = await startTestService({ jobs: false });
  pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
  admin = adminWith({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
});
after(async () => {
  await pool.end();
  await service.stop();
});

const today = () => merchantDay(new Date());

/** A shop with two captures, two refunds, and disputes that were won and lost. */
async function busyShop(): Promise<Shop> {
  const shop = await Shop.open(service);
  const refunded = await shop.cardPayment({ amount: 10_000 });
  await created(shop.refund(refunded.id, 2_500));
  await created(shop.refund(refunded.id, 1_000));
  const pix = await shop.pixPayment(5_000);
  await shop.simulate(pix.id, 'paid');
  for (const end of ['chargeback_won', 'chargeback_lost'] as const) {
    const { id } = await shop.cardPayment({ amount: 7_000 });
    await shop.simulate(id, 'chargeback_requested');
    await shop.simulate(id, end);
  }
  return shop;
}

const discrepancies = (shop: Shop) => admin.json<Json[]>('discrepancy', 'list', '--merchant', shop.account);

async function reconciled(shop: Shop, ...more: string[]): Promise<Json> {
  return reconciledOn(today(), shop, ...more);
}

async function reconciledOn(day: string, shop: Shop, ...more: string[]): Promise<Json> {
  const { merchants } = await admin.json<Json>(
    ...['reconcile', '--day', day, '--merchant', shop.account, ...more],
  );
  assert.equal(merchants.length, 1);
  return merchants[0];
}

/** The simulator's file of today, changed, on the disk. */
async function plantedFile(shop: Shop, change: (lines: string[]) => string[]): Promise<string> {
  const text = await settlementFile(pool, shop.account, today());
  const [header, ...lines] = text.trimEnd().split('\n');
  const path = join(service.dataDir, `${shop.account}.csv`);
  await writeFile(path, [header, ...change(lines)].join('\n'));
  return path;
}

describe('reconcile', () => {
  test("finds no difference between the acquirer's file and the ledger", async () => {
    const shop = await busyShop();
    const { lines, differences } = await reconciled(shop);
    assert.deepEqual([lines, differences], [9, []]);
    const { stdout } = await admin.run('reconcile', '--day', today());
    assert.match(stdout, /^\d{4}-\d\d-\d\d: \d+ lines of \d+ merchants, 0 differences\.\n$/);
    assert.deepEqual(await discrepancies(shop), []);
  });

  test('finds and names each planted difference, and writes each as one discrepancy', async () => {
    const shop = await busyShop();
    const byType = (lines: string[], type: string) => lines.findIndex((line) => line.includes(`,${type},`));
    let expected: [string, string, string][] = [];
    const path = await plantedFile(shop, (lines) => {
      const reference = (at: number) => lines[at]!.split(',')[0]!;
      const [refund, dispute, won] = ['refund', 'dispute', 'dispute_reversed'].map((type) =>
        byType(lines, type),
      );
      const unknown = `${reference(0).slice(0, 2)}${'0'.repeat(30)}`;
      expected = [
        ['settlement_unknown', 'capture', unknown],
        ['settlement_doubled', 'capture', reference(0)],
        ['settlement_amount_mismatch', 'refund', reference(refund!)],
        ['settlement_missing', 'dispute', reference(dispute!)],
        ['settlement_missing', 'dispute_reversed', reference(won!)],
      ];
      const changed = lines.map((line, at) => (at === refund ? line.replace(/,(\d+),/, ',1$1,') : line));
      const kept = changed.filter((_, at) => at !== dispute && at !== won);
      return [...kept, lines[0]!, lines[0]!.replace(reference(0), unknown)];
    });
    const { differences } = await reconciled(shop, '--file', path);
    const named = (rows: Json[]) =>
      rows.map(({ reason, type, reference }) => [reason, type, reference]).sort();
    assert.deepEqual(named(differences), expected.sort());
    const open = await discrepancies(shop);
    assert.deepEqual(
      open.map(({ source, reason, reference }) => [source, reason, reference]).sort(),
      expected.map(([reason, , reference]) => ['settlement_file', reason, reference]).sort(),
    );
    for (const { reason, payment_id } of open) {
      assert.equal(payment_id === null, reason === 'settlement_unknown', reason);
    }

    const again = await reconciled(shop, '--file', path);
    assert.deepEqual(
      again.differences.map(({ discrepancy_id }: Json) => discrepancy_id),
      expected.map(() => null),
    );
    assert.equal((await discrepancies(shop)).length, expected.length);
    const text = await admin.run('reconcile', '--day', today(), '--merchant', shop.account, '--file', path);
    assert.match(text.stdout, / 5 differences\.\nmerchant_id +reason +type +reference +reported +recorded\n/);
    const list = await admin.run('discrepancy', 'list', '--merchant', shop.account);
    assert.match(
      list.stdout,
      / settlement_amount_mismatch +settlement_file +settlement_file\.refund 1\d+ +refund \d+\n/,
    );
  });

  test('a refund in progress when a dispute is opened makes no difference, whatever follows', async () => {
    const shop = await Shop.open(service);
    const FOLLOWING = [
      [],
      ['refund_succeeded'],
      ['refund_denied'],
      ['chargeback_won'],
      ['chargeback_won', 'refund_denied'],
      ['chargeback_won', 'refund_succeeded'],
      ['refund_denied', 'chargeback_won'],
      ['refund_succeeded', 'chargeback_won'],
      ['chargeback_lost', 'refund_denied'],
      ['refund_denied', 'chargeback_lost'],
      ['chargeback_lost', 'refund_succeeded'],
      ['chargeback_won', 'chargeback_requested', 'refund_denied', 'chargeback_lost'],
      ['chargeback_won', 'refund_succeeded', 'chargeback_requested', 'chargeback_won'],
      ['refund_denied', 'chargeback_won', 'chargeback_requested', 'chargeback_lost'],
    ] as const;
    for (const following of FOLLOWING) {
      const { id } = await shop.cardPayment({ amount: 10_000, number: '4000000000007726' });
      await created(shop.refund(id, 4_000));
      await shop.simulate(id, 'chargeback_requested');
      const [refund] = await service.rows<{ reference: string }>(
        'select reference from refunds where payment_id = :id',
        { id },
      );
      const ofPayment = await shop.reference(id);
      for (const outcome of following) {
        const reference = outcome.startsWith('refund_') ? refund!.reference : ofPayment;
        assert.deepEqual(await shop.trySimulate(reference, outcome), { kind: 'done' }, outcome);
      }
    }
    assert.deepEqual((await reconciled(shop)).differences, []);
  });

  test('a refund that is denied days after a dispute without it adds a line, which must come', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.cardPayment({ amount: 10_000, number: '4000000000007726' });
    await created(shop.refund(id, 4_000));
    await shop.simulate(id, 'chargeback_requested');
    assert.deepEqual((await reconciled(shop)).differences, []);
    const [refund] = await service.rows<{ reference: string }>(
      `update refunds
          set status = 'denied', denial_code = 'fraud', denial_message = '-', updated_at = updated_at + interval '7 days'
        where payment_id = :id returning reference`,
      { id },
    );
    const day = addDays(today(), 7);
    const line = `${refund!.reference},dispute,4000,${day}T15:00:00Z`;
    const reasons = async (on: string, lines: string[]) => {
      const path = await plantedFile(shop, () => lines);
      const { differences } = await reconciledOn(on, shop, '--file', path);
      return differences.map(({ reason }: Json) => reason);
    };
    assert.deepEqual(await reasons(day, []), ['settlement_missing']);
    assert.deepEqual(await reasons(day, [line]), []);
    assert.deepEqual(await reasons(addDays(day, 4), [line]), ['settlement_doubled']);
    const open = await discrepancies(shop);
    assert.deepEqual(
      open.map(({ reason, payment_id }) => [reason, payment_id]),
      [['settlement_doubled', id]],
    );
  });

  test('finds a line that comes again days later, as often as it comes', async () => {
    const shop = await Shop.open(service);
    await shop.cardPayment();
    assert.deepEqual((await reconciled(shop)).differences, []);
    const path = await plantedFile(shop, (lines) => [lines[0]!, lines[0]!, lines[0]!]);
    const doubled = Array.from({ length: 3 }, () => 'settlement_doubled');
    for (const days of [2, 5]) {
      const day = addDays(today(), days);
      const { differences } = await reconciledOn(day, shop, '--file', path);
      assert.deepEqual(
        differences.map(({ reason }: Json) => reason),
        doubled,
      );
    }
    assert.equal((await discrepancies(shop)).length, 6);
    assert.deepEqual((await reconciled(shop)).differences, []);
  });

  test('closes what was missing once it comes: an entry of the ledger, or a line', async () => {
    const shop = await Shop.open(service);
    const { id } = await shop.pixPayment(5_000);
    const reference = await shop.reference(id);
    const empty = await plantedFile(shop, () => []);
    const reasons = ({ differences }: Json) => differences.map(({ reason }: Json) => reason);
    const file = async () => plantedFile(shop, () => [`${reference},capture,5000,2026-11-20T15:00:00Z`]);
    const early = addDays(today(), -4);
    assert.deepEqual(reasons(await reconciledOn(early, shop, '--file', await file())), [
      'settlement_unknown',
    ]);
    await shop.simulate(id, 'paid');
    await plantedFile(shop, () => []);
    assert.deepEqual(reasons(await reconciled(shop, '--file', empty)), []);
    assert.deepEqual(await discrepancies(shop), []);

    assert.deepEqual(reasons(await reconciledOn(early, shop, '--file', empty)), []);
    assert.deepEqual(reasons(await reconciled(shop, '--file', empty)), ['settlement_missing']);
    const late = addDays(today(), 4);
    assert.deepEqual(reasons(await reconciledOn(late, shop, '--file', await file())), []);
    assert.deepEqual(await discrepancies(shop), []);
    const all = await admin.json<Json[]>('discrepancy', 'list', '--merchant', shop.account, '--all');
    assert.deepEqual(
      all.map(({ reason, status, note }) => [reason, status, note]),
      ['settlement_unknown', 'settlement_missing'].map((reason) => [
        reason,
        'closed',
        'Closed by the service: the settlement files and the ledger now agree.',
      ]),
    );
  });

  test('another day has nothing of today', async () => {
    const shop = await busyShop();
    const day = addDays(today(), -20);
    const { merchants } = await admin.json<Json>('reconcile', '--day', day, '--merchant', shop.account);
    assert.deepEqual(merchants, [{ merchant_id: shop.account, lines: 0, differences: [] }]);
  });
});

describe('reconcile is refused', () => {
  const refused = (pattern: RegExp, ...more: string[]) => admin.refused(['reconcile', ...more], pattern);

  test('without a day, with a day that does not exist, and for an unknown merchant', async () => {
    await refused(/--day/);
    await refused(/^--day must be a day such as 2026-12-24, not 2026-02-30\.$/, '--day', '2026-02-30');
    await refused(/^There is no merchant /, '--day', today(), '--merchant', UNKNOWN_ID);
  });

  test('with a file of several merchants, a missing file, and a malformed one', async () => {
    const [shop] = [await Shop.open(service), await Shop.open(service)];
    await refused(/^--file needs --merchant, /, '--day', today(), '--file', 'a.csv');
    const of = ['--day', today(), '--merchant', shop!.account, '--file'];
    await refused(/^The file a\.csv cannot be read: ENOENT\.$/, ...of, 'a.csv');
    const path = await plantedFile(shop!, () => ['aa1,payout,1,2026-11-20T00:00:00Z']);
    await refused(/^The settlement file is malformed\. Line 2 must have one of the types /, ...of, path);
  });
});
