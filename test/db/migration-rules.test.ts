/** Migrations also run on a distributed database, which refuses some of what a single Postgres takes. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { migrationFaults } from '../support/architecture/migrations.ts';

const FOLDER = new URL('../../db/migrations/', import.meta.url);

/** Released before a database could be distributed: every distributed database has them already. */
const EXCUSED: Readonly<Record<string, readonly string[]>> = {
  '014-money-invariants.sql': [
    '014-money-invariants.sql fills the table payment_operation_results in the file that creates it.',
  ],
};

test('every migration follows the rules', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql'));
  assert.ok(names.length >= 16);
  for (const name of names) {
    const faults = migrationFaults(name, await readFile(new URL(name, FOLDER), 'utf8'));
    assert.deepEqual(faults, EXCUSED[name] ?? []);
  }
});

describe('a migration is refused that', () => {
  const refused: readonly [what: string, script: string, fault: RegExp][] = [
    [
      'adds two constraints at once',
      'alter table a add constraint b check (c > 0), add constraint d unique (slot, merchant_id, c)',
      /^x\.sql adds a constraint together with something else: alter table a add/,
    ],
    [
      'takes one constraint away and adds another',
      '-- A card belongs to a customer.\nalter table a\n  drop constraint b,\n  add foreign key (c, d) references e (c, d);',
      /together with something else/,
    ],
    ['adds a column and a constraint', 'alter table only a add c int, add check (c > 0)', /together/],
    [
      'adds a column with a reference',
      'alter table a add column c int references b (c)',
      /brings its constraint: add column c/,
    ],
    [
      'adds a column with a check',
      'create table a (b int);\nalter table a add c int check (c > 0)',
      /brings/,
    ],
    ['adds a unique column', 'alter table if exists a add column c int not null unique', /brings/],
    ['begins a transaction', 'begin; create table a (b int); commit;', /controls its transaction: begin/],
    [
      'makes an older table refer to a new one',
      'create table b (id int primary key); alter table a add foreign key (b_id) references b (id)',
      /makes a refer to b in the file that creates b/,
    ],
    [
      'fills a new table',
      'create unlogged table if not exists b (id int); insert into b select id from a',
      /fills the table b in the file that creates it/,
    ],
    [
      'updates with a function that depends on the session',
      "update a set b = json_build_object('c', c)",
      /updates with a function that is not immutable: update a/,
    ],
    ['adds an interval to a time of the session', "update a set b = b + interval '7 days'", /not immutable/],
    [
      'hides the end of a statement',
      String.raw`insert into a values (e'it\'s; b')`,
      /uses a text with escapes/,
    ],
  ];
  for (const [what, script, fault] of refused) {
    test(what, () => assert.match(migrationFaults('x.sql', script)[0] ?? '', fault));
  }
});

describe('a migration may', () => {
  const accepted: readonly [what: string, script: string][] = [
    ['add a constraint by itself', 'alter table a add constraint b check (c in (1, 2) and d = (e, f))'],
    [
      'add several columns',
      "alter table a add column b int, add column c text not null default 'check, unique'",
    ],
    [
      'create a table with constraints',
      'create table a (b int primary key, c int references d (c), check (b > c))',
    ],
    [
      'make a new table refer to older ones, and to another new one',
      'create table b (id int references a (id)); create table c (id int); alter table c add foreign key (id) references b (id)',
    ],
    ['make a table refer to an older one', 'alter table a add foreign key (b_id) references b (id)'],
    [
      'add an interval to a time in UTC',
      "update a set b = (b at time zone 'UTC' + interval '7 days') at time zone 'UTC'",
    ],
    ['fill a table that was created before', 'insert into b select id from a'],
    ['speak of constraints', '-- begin; alter table a add check (b), add check (c)\nalter table a drop b'],
  ];
  for (const [what, script] of accepted) {
    test(what, () => assert.deepEqual(migrationFaults('x.sql', script), []));
  }
});
