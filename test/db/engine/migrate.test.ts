import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../db/engine/migrate.ts';
import { splitStatements } from '../../../db/engine/split-statements.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { MIGRATIONS_TABLE } from '../../support/db/migrate-to.ts';

describe('the migrations of an empty database', () => {
  let database: TestDatabase;
  let client: Client;
  before(async () => {
    database = await testDatabase();
    client = new Client(database.url);
    await client.connect();
    await client.query(`
      drop schema public cascade;
      create schema public;
      create schema watch;
      create table watch.queries (query text, transaction xid8);
      create function watch.note() returns event_trigger language plpgsql as $$
        begin
          insert into watch.queries values (current_query(), pg_current_xact_id());
        end
      $$;
      create event trigger note on ddl_command_end execute function watch.note()`);
    await migrate(database.url, 'sandbox');
  });
  after(async () => {
    await client.end();
    await database.drop();
  });

  test('are sent one statement at a time', async () => {
    const { rows } = await client.query<{ query: string }>('select query from watch.queries');
    assert.ok(rows.length > 50);
    // None of our statements has a semicolon in a text, except in the body of a block.
    for (const { query } of rows) assert.doesNotMatch(query.replaceAll(/--.*$|\$\$[^$]*\$\$/gm, ''), /;/);
  });

  test('run in one transaction per file', async () => {
    const folder = new URL('../../../db/migrations/', import.meta.url);
    // The trigger sees what changes the schema only.
    const files = (await readdir(folder)).filter(
      (name) =>
        name.endsWith('.sql') &&
        /^(create|alter|drop|do) /m.test(readFileSync(new URL(name, folder), 'utf8')),
    );
    const { rows } = await client.query<{ count: string }>(
      'select count(distinct transaction) as count from watch.queries',
    );
    // And one for the table that remembers them.
    assert.equal(Number(rows[0]!.count), files.length + 1);
  });

  test('run once', async () => {
    await client.query('truncate watch.queries');
    await migrate(database.url, 'sandbox');
    const { rows } = await client.query<{ query: string }>('select query from watch.queries');
    // The table that remembers them is created if it does not exist.
    assert.deepEqual(
      rows.map(({ query }) => query),
      [MIGRATIONS_TABLE],
    );
  });
});

describe('a script', () => {
  const scripts: readonly [script: string, statements: readonly string[]][] = [
    ['select 1; select 2', ['select 1', 'select 2']],
    [' select 1;\n\n;  ; -- the end\n', ['select 1']],
    [
      "insert into a values ('b; c'';', \"d;e\"); select 1",
      ["insert into a values ('b; c'';', \"d;e\")", 'select 1'],
    ],
    [
      "-- It's one; of two\nselect 1; /* ; ' */ select 2;",
      ["-- It's one; of two\nselect 1", "/* ; ' */ select 2"],
    ],
    ['do $$ begin a; end $$; do $x$ $$ ; $x$;', ['do $$ begin a; end $$', 'do $x$ $$ ; $x$']],
    ['', []],
  ];
  for (const [script, statements] of scripts) {
    test(`is ${statements.length} statements: ${script.replaceAll('\n', '↵')}`, () => {
      assert.deepEqual(splitStatements(script), statements);
    });
  }
});
