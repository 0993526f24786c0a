/** No statement is planned as if each merchant had only a row or two. The README of db says why. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listsOfIds, smallMerchants } from './support/architecture/plans.ts';
import { projectSources } from './support/architecture/sources.ts';
import { connectedClient } from './support/db/bare-client.ts';

const client = await connectedClient();

describe('lists of ids', () => {
  const found = (text: string) => listsOfIds([{ path: 'db/a.ts', text }]).length;

  test('are read with rowsById, and joined to an update with rowList', () => {
    assert.deepEqual(listsOfIds(projectSources()), []);
  });

  for (const text of [
    '`select a from payments where {scope} and id = any(:ids)`',
    '`select a from payments p where {scope:p} and p.id = any(cast(:ids as uuid[]))`',
    "'update cards set a = 1 where {scope} and id = any (:ids)'",
  ]) {
    test(`${text} is reported`, () => assert.equal(found(text), 1));
  }

  for (const text of [
    '`delete from event_outbox where {scope} and event_id = any(:ids)`',
    '`update mandates set a = 1 where {scope} and not (id = any(:except))`',
    '// In place of `id = any(:ids)`.',
  ]) {
    test(`${text} is allowed`, () => assert.equal(found(text), 0));
  }
});

describe('the statistics of tables', () => {
  test('are those of a large merchant', async () => {
    assert.deepEqual(await smallMerchants(client), []);
  });

  for (const [sql, sentences] of [
    [
      'create table t (slot smallint, merchant_id uuid, id uuid, primary key (slot, merchant_id, id))',
      [
        't needs: alter column merchant_id set (n_distinct = 1).',
        't needs: create statistics (dependencies) on slot, merchant_id.',
      ],
    ],
    [
      'alter table payments alter column merchant_id reset (n_distinct)',
      ['payments needs: alter column merchant_id set (n_distinct = 1).'],
    ],
    ['create table t (slot smallint, merchant_id uuid, primary key (slot, merchant_id))', []],
  ] as const) {
    test(`${sql}: ${sentences.length} things are missing`, async () => {
      await client.query('begin');
      try {
        await client.query(sql);
        assert.deepEqual(await smallMerchants(client), sentences);
      } finally {
        await client.query('rollback');
      }
    });
  }
});
