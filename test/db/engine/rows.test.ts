import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

describe('the row reader', () => {
  let created: TestDatabase;
  let db: Database;
  before(async () => {
    created = await testDatabase();
    db = openDatabase({ url: created.url, maxConnections: 1 });
  });
  after(async () => {
    await db.close();
    await created.drop();
  });

  it('reads every type of column', async () => {
    const [row] = await db.anywhere(
      `select cast(:n as bigint) as big, 7 as n, 1.50::numeric as exact, true as yes, 'Ação "é"\n'::text as text,
              date '2026-02-28' as day, timestamptz '2026-02-28 12:00:00.123456+00' as at,
              jsonb '{"a": [1, null]}' as document, array['x', 'y,z', null] as list, bytea '\\x00ff' as bytes,
              uuid '0193a5d4-0000-7000-8000-000000000001' as id, '' as "it's \\ ""quoted""", 1 as "case"`,
      { n: 9007199254740991 },
    );
    assert.deepEqual(row, {
      big: 9007199254740991,
      n: 7,
      exact: '1.50',
      yes: true,
      text: 'Ação "é"\n',
      day: '2026-02-28',
      at: new Date('2026-02-28T12:00:00.123Z'),
      document: { a: [1, null] },
      list: ['x', 'y,z', null],
      bytes: Buffer.from([0, 255]),
      id: '0193a5d4-0000-7000-8000-000000000001',
      'it\'s \\ "quoted"': '',
      case: 1,
    });
  });

  it('reads null of every type, and reports none for no rows', async () => {
    const sql = `select null::bigint as big, null::text as text, null::jsonb as document, null::timestamptz as at,
                        null::bool as yes from generate_series(1, cast(:n as int))`;
    const row = { big: null, text: null, document: null, at: null, yes: null };
    assert.deepEqual(await db.anywhere(sql, { n: 2 }), [row, row]);
    assert.deepEqual(await db.anywhere(sql, { n: 0 }), []);
  });

  it('refuses a number that would be rounded, and the connection continues', async () => {
    const sql = 'select cast(:n as bigint) + i as n from generate_series(0, 2) i';
    await assert.rejects(db.anywhere(sql, { n: Number.MAX_SAFE_INTEGER }), /does not fit a number/);
    assert.deepEqual(await db.anywhere(sql, { n: 1 }), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('follows a migration that changes the columns of a statement', async () => {
    const sql = 'select * from changing where :yes';
    await db.anywhere('create table changing (n int)');
    await db.anywhere('insert into changing values (7)');
    assert.deepEqual(await db.anywhere(sql, { yes: true }), [{ n: 7 }]);
    await db.anywhere('alter table changing alter n type text');
    // Postgres ends the plan that went stale; the next connection prepares another.
    await assert.rejects(db.anywhere(sql, { yes: true }));
    assert.deepEqual(await db.anywhere(sql, { yes: true }), [{ n: '7' }]);
    await db.anywhere('alter table changing rename n to word');
    await assert.rejects(db.anywhere(sql, { yes: true }));
    assert.deepEqual(await db.anywhere(sql, { yes: true }), [{ word: '7' }]);
  });

  it('returns the rows and the count of statements that change rows', async () => {
    const scope = { slot: 1, merchantId: '00000000-0000-7000-8000-000000000001' };
    await db.anywhere('create table counted (slot int, merchant_id uuid, n int)');
    const inserted = await db.execute(
      scope,
      'insert into counted (slot, merchant_id, n) select :slot, :merchant_id, i from generate_series(1, 3) i',
    );
    assert.equal(inserted, 3);
    const removed = await db.rows(scope, 'delete from counted where {scope} and n > :n returning n', {
      n: 2,
    });
    assert.deepEqual(removed, [{ n: 3 }]);
  });
});
