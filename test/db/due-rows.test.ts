/** A search for due work must cost the same however many rows have a step that is not due yet. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { merchantsWithDueRows, nextDueRows, postponeDueRows, slotsWithDueRows } from '../../db/due-rows.ts';
import type { Database } from '../../db/engine/database.ts';
import { DUE_SUBSCRIPTIONS } from '../../db/subscriptions/due-subscriptions.ts';
import { type MerchantScope, SLOTS } from '../../domain/scope.ts';
import { DAY_MS, MINUTE_MS } from '../support/clock-calls.ts';
import { pagesRead as pagesReadBy, rowsRead as rowsReadBy, type Search } from '../support/db/search-cost.ts';
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

const pagesRead = (search: Search) => pagesReadBy(client, search);
const rowsRead = (search: Search) => rowsReadBy(client, search);
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
