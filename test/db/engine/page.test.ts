import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { defineList } from '../../../db/engine/list.ts';
import { fetchPage, mapPage, type PageRequest } from '../../../db/engine/page.ts';
import { decodeCursor } from '../../../domain/cursor.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertTwoMerchants, OURS, THEIRS } from '../../support/db/bare-rows.ts';

const FIRST: PageRequest = { perPage: 3, after: null, createdFrom: null, createdBefore: null };

let created: TestDatabase;
let db: Database;
before(async () => {
  created = await testDatabase();
  db = openDatabase({ url: created.url });
  await insertTwoMerchants(db);
});
after(async () => {
  await db.close();
  await created.drop();
});

interface Row {
  id: string;
  name: string;
}

const EVENTS = { columns: 'id, event as name', from: 'events', filters: {} };

function idOf(n: number): string {
  return `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
}

async function insert(scope: MerchantScope, n: number, at: string): Promise<void> {
  await db.execute(
    scope,
    `insert into events (slot, merchant_id, id, event, object_id, data, created_at)
     values (:slot, :merchant_id, :id, :name, :id, '{}', :at)`,
    { id: idOf(n), name: `event ${n}`, at },
  );
}

async function allPages(request: PageRequest, where?: string): Promise<string[][]> {
  const pages: string[][] = [];
  for (let cursor = request.after; ; ) {
    const list = defineList<Row, object>({ ...EVENTS, ...(where && { where }) });
    const page = await fetchPage(db, OURS, list, {}, { ...request, after: cursor });
    pages.push(page.items.map((row) => row.name.replace('event ', '')));
    if (page.nextCursor === null) return pages;
    cursor = decodeCursor(page.nextCursor);
    assert.notEqual(cursor, null);
  }
}

describe('a page of a list', () => {
  before(async () => {
    // Two rows of one instant, three that differ by microseconds only, and another merchant's among them.
    await insert(OURS, 1, '2026-03-01T12:00:00Z');
    await insert(OURS, 2, '2026-03-01T12:00:00Z');
    await insert(OURS, 3, '2026-03-01T12:00:00.123001Z');
    await insert(OURS, 4, '2026-03-01T12:00:00.123002Z');
    await insert(THEIRS, 5, '2026-03-01T12:00:00.123003Z');
    await insert(OURS, 6, '2026-03-01T12:00:00.123004Z');
    await insert(OURS, 7, '2026-03-02T00:00:00Z');
  });

  it('is ordered newest first, and the pages together contain every row of the merchant once', async () => {
    assert.deepEqual(await allPages(FIRST), [
      ['7', '6', '4'],
      ['3', '2', '1'],
    ]);
    assert.deepEqual(await allPages({ ...FIRST, perPage: 1 }), [['7'], ['6'], ['4'], ['3'], ['2'], ['1']]);
  });

  it('has no next page if the last row is the last of a full page', async () => {
    assert.deepEqual(await allPages({ ...FIRST, perPage: 6 }), [['7', '6', '4', '3', '2', '1']]);
  });

  it('is limited to the range of time, without its end', async () => {
    const range = {
      createdFrom: '2026-03-01T12:00:00.123002Z',
      createdBefore: '2026-03-02T00:00:00.000000Z',
    };
    assert.deepEqual(await allPages({ ...FIRST, ...range }), [['6', '4']]);
  });

  it('applies further conditions', async () => {
    assert.deepEqual(await allPages(FIRST, "event <> 'event 6'"), [
      ['7', '4', '3'],
      ['2', '1'],
    ]);
  });

  it('lists a joined table under its alias', async () => {
    const list = defineList<Row, object>({
      columns: 'e.id, m.name',
      alias: 'e',
      from: 'events e join merchants m on {scope:m}',
      filters: {},
    });
    const page = await fetchPage(db, OURS, list, {}, { ...FIRST, perPage: 100 });
    assert.equal(page.items.length, 6);
    assert.equal(page.nextCursor, null);
  });

  it('reads only the rows of the page, at any depth', async () => {
    const deep = { ...FIRST, after: { createdAt: '2026-03-01T12:00:00.123002Z', id: idOf(4) } };
    const plan: { 'QUERY PLAN': string }[] = [];
    const explaining = {
      ...db,
      rows: async (scope: MerchantScope, sql: string, params: object) => {
        await db.transaction(scope, async (tx) => {
          await tx.execute(scope, "select set_config('enable_seqscan', 'off', true), :slot, :merchant_id");
          plan.push(...(await tx.rows<{ 'QUERY PLAN': string }>(scope, `explain ${sql}`, { ...params })));
        });
        return [];
      },
    } as Database;
    await fetchPage(explaining, OURS, defineList<Row, object>(EVENTS), {}, deep);
    const text = plan.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(text, /Index (Only )?Scan using events_newest/);
    assert.match(text, /Index Cond: .*ROW\(created_at, id\) < ROW/);
    assert.doesNotMatch(text, /Sort|Filter/);
  });

  it('can be converted to a page of another type', async () => {
    const page = await fetchPage(db, OURS, defineList<Row, object>(EVENTS), {}, FIRST);
    const names = mapPage(page, (row) => row.name);
    assert.deepEqual(names.items, ['event 7', 'event 6', 'event 4']);
    assert.equal(names.nextCursor, page.nextCursor);
  });
});
