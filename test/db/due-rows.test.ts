/** A search for due work must cost the same however many rows have a step that is not due yet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { merchantsWithDueRows, nextDueRows, postponeDueRows, slotsWithDueRows } from '../../db/due-rows.ts';
import type { Database } from '../../db/engine/database.ts';
import { anySql, type SqlParams, scopedSql, slotSql } from '../../db/engine/sql.ts';
import { DUE_SUBSCRIPTIONS } from '../../db/subscriptions/due-subscriptions.ts';
import { type MerchantScope, SLOTS } from '../../domain/scope.ts';
import { DAY_MS, MINUTE_MS } from '../support/clock-calls.ts';
import { startTestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';
import { copySubscriptions } from '../support/subscriptions/subscription-copies.ts';

const NOT_DUE = 20_000;
/** The index of the rows of a slot that are not due has more than 100. */
const MOST_PAGES = 40;

const service = await startTestService({ jobs: false });
const { db } = service.deps;
const client = new Client(service.databaseUrl);
/** Later than the few due rows, and earlier than the others. */
const until = new Date(Date.now() + 40 * DAY_MS);
let scope: MerchantScope;

before(async () => {
  const shop = await Shop.open(service);
  await subscribed(shop);
  await client.connect();
  const query = async (sql: string) => (await client.query(sql)).rows;
  const due_at = `timestamptz '${new Date(until.getTime() + DAY_MS).toISOString()}' + n * interval '1 minute'`;
  await copySubscriptions(query, { count: NOT_DUE, changes: { due_at } });
  // The same number in all other slots, so that Postgres expects few rows in one. Their merchants do not exist.
  await client.query('set session_replication_role = replica');
  const elsewhere = { slot: '(s.slot + 1 + n % 255) % 256', merchant_id: 'gen_random_uuid()' };
  await copySubscriptions(query, { count: NOT_DUE, changes: { due_at, ...elsewhere } });
  await client.query('reset session_replication_role');
  await client.query('vacuum analyze subscriptions');
  const { rows } = await client.query('select slot, merchant_id from merchants where merchant_id = $1', [
    shop.account,
  ]);
  scope = { slot: rows[0].slot, merchantId: rows[0].merchant_id };
});
after(async () => {
  await client.end();
  await service.stop();
});

type Search = (watching: Database) => Promise<unknown>;

/** A node of a plan as Postgres ran it, as far as the test reads it. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The plans of a search after it has run: the one for these values, and the one that serves every value. */
async function plansOf(search: Search): Promise<PlanNode[]> {
  const asked: [string, unknown[]][] = [];
  await search({
    anywhere: async (sql: string, params: SqlParams) => {
      asked.push(anySql(sql, params));
      return [];
    },
    slotRows: async (slot: number, sql: string, params: SqlParams) => {
      asked.push(slotSql(slot, sql, params));
      return [];
    },
    one: async (asking: MerchantScope, sql: string, params: SqlParams = {}) => {
      asked.push(scopedSql(asking, sql, params));
      return {};
    },
  } as unknown as Database);
  const [text, values] = asked[0]!;
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(literal(value))));
  const plans: PlanNode[] = [];
  for (const mode of ['force_generic_plan', 'force_custom_plan']) {
    await client.query(`deallocate all; set plan_cache_mode = ${mode}; prepare search as ${text}`);
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) execute search (${literals.join(', ')})`,
    );
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
  }
  return plans;
}

/** The pages that a search reads in its worst plan. */
async function pagesRead(search: Search): Promise<number> {
  const plans = await plansOf(search);
  return Math.max(...plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']));
}

/** The rows of tables and indexes that a search reads in its worst plan. */
async function rowsRead(search: Search): Promise<number> {
  const readBy = (node: PlanNode): number => {
    const { Plans: below = [] } = node;
    const isOfTable = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type']);
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return below.reduce((sum, plan) => sum + readBy(plan), isOfTable ? rows : 0);
  };
  return Math.max(...(await plansOf(search)).map(readBy));
}

function literal(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}

const any = { only: null, except: [], limit: 1 };

describe('a search for due subscriptions reads few pages', () => {
  const merchants = (claim: object) => (watching: Database) =>
    merchantsWithDueRows(watching, scope.slot, DUE_SUBSCRIPTIONS, { ...any, until, ...claim });
  const searches: readonly [what: string, search: Search][] = [
    ['of slots', (watching) => slotsWithDueRows(watching, DUE_SUBSCRIPTIONS, until)],
    ['of any merchant', (watching) => merchants({})(watching)],
    ['of other merchants', (watching) => merchants({ except: [scope.merchantId], limit: 6 })(watching)],
    ['of a certain merchant', (watching) => merchants({ only: scope.merchantId })(watching)],
    ['when nothing is due', (watching) => merchants({ until: new Date() })(watching)],
  ];
  for (const [what, search] of searches) {
    test(what, async () => {
      const pages = await pagesRead(search);
      assert.ok(pages <= MOST_PAGES, `${pages} pages were read`);
    });
  }

  test('and finds the slot', async () => {
    assert.deepEqual(await slotsWithDueRows(db, DUE_SUBSCRIPTIONS, until), [scope.slot]);
  });
});

describe('a search does not read the due subscriptions of a suspended merchant', () => {
  const COUNT = 10_000;
  const INSTANTS = 30;
  /** A few for each instant. A search that reads all rows reads more than 10,000. */
  const MOST = 15 * INSTANTS;
  let suspended: MerchantScope;
  before(async () => {
    const { merchantId } = (await service.newMerchant()).merchant;
    suspended = { slot: scope.slot, merchantId };
    const earlier = new Date(until.getTime() - 20 * DAY_MS).toISOString();
    const changes = {
      merchant_id: `'${merchantId}'`,
      due_at: `timestamptz '${earlier}' + n % ${INSTANTS} * interval '1 hour'`,
      due_step: `'attempt'`,
    };
    await client.query('set session_replication_role = replica');
    const move = `update merchants set slot = $1, status = 'suspended' where merchant_id = $2`;
    await client.query(move, [scope.slot, merchantId]);
    await copySubscriptions(async (sql) => (await client.query(sql)).rows, { count: COUNT, changes });
    await client.query('reset session_replication_role');
    await client.query('vacuum analyze subscriptions');
  });

  const found = (claim: object) => (on: Database) =>
    merchantsWithDueRows(on, scope.slot, DUE_SUBSCRIPTIONS, { ...any, until, ...claim });
  test('for any merchant: finds the one that follows it', async () => {
    assert.deepEqual(await found({})(db), [scope]);
    const pages = await pagesRead(found({}));
    assert.ok(pages <= MOST, `${pages} pages were read`);
  });

  test('for slots: finds the slot', async () => {
    const search = (on: Database) => slotsWithDueRows(on, DUE_SUBSCRIPTIONS, until);
    assert.deepEqual(await search(db), [scope.slot]);
    const rows = await rowsRead(search);
    assert.ok(rows <= 3 * SLOTS, `${rows} rows were read`);
  });

  test('for this merchant', async () => {
    const only = { only: suspended.merchantId };
    assert.deepEqual(await found(only)(db), []);
    const pages = await pagesRead(found(only));
    assert.ok(pages <= MOST, `${pages} pages were read`);
  });

  test('for its steps that charge nothing', async () => {
    const search = (on: Database) => nextDueRows(on, suspended, [DUE_SUBSCRIPTIONS], false);
    assert.deepEqual(await search(db), [null]);
    const pages = await pagesRead(search);
    assert.ok(pages <= MOST, `${pages} pages were read`);
  });

  test('when work that cannot be done is postponed: they wait for the approval', async () => {
    const dueAt = new Date(until.getTime() + DAY_MS);
    await postponeDueRows(db, suspended, DUE_SUBSCRIPTIONS, { mayCharge: false, until, dueAt });
    const { rows } = await client.query(
      'select count(*)::int as count from subscriptions where merchant_id = $1 and due_at <= $2',
      [suspended.merchantId, until],
    );
    assert.equal(rows[0].count, COUNT);
  });
});

test('no statement starts further processes of Postgres', async () => {
  const [row] = await service.rows<{ max: string }>(
    "select current_setting('max_parallel_workers_per_gather') as max",
  );
  assert.equal(row!.max, '0');
});

test('a search finds each slot once, however many due rows there are', async () => {
  const soon = new Date(until.getTime() + DAY_MS + 10 * MINUTE_MS);
  const late = new Date(until.getTime() + 30 * DAY_MS);
  const slots = async (by: Date) => (await slotsWithDueRows(db, DUE_SUBSCRIPTIONS, by)).sort((a, b) => a - b);
  const [expected] = await service.rows<{ slots: number[] }>(
    'select array_agg(distinct slot order by slot) as slots from subscriptions where due_at <= :soon',
    { soon },
  );
  assert.deepEqual(await slots(soon), expected!.slots);
  assert.deepEqual(
    await slots(late),
    Array.from({ length: SLOTS }, (_, slot) => slot),
  );
});

test('a search finds each merchant once, whatever the instants of its due rows are', async () => {
  const late = { ...any, limit: 5, until: new Date(until.getTime() + 30 * DAY_MS) };
  assert.deepEqual(await merchantsWithDueRows(db, scope.slot, DUE_SUBSCRIPTIONS, late), [scope]);
  const others = { ...late, except: [scope.merchantId] };
  assert.deepEqual(await merchantsWithDueRows(db, scope.slot, DUE_SUBSCRIPTIONS, others), []);
});
