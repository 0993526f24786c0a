import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unscopedTables } from '../../../db/engine/scope-check.ts';
import { scopedSql, slotSql } from '../../../db/engine/sql.ts';

const SCOPE = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000001' };

/** Each with the tables that it leaves out. The first two were found by a distributed database. */
const REFUSED_IN_A_SLOT: readonly (readonly [what: string, sql: string, tables: readonly string[]])[] = [
  [
    'an update that is only joined to what it claims',
    `with claimed as materialized (
       select slot, merchant_id, id from payment_operations
        where {slot} and state = 'pending' and check_at <= :until
        order by check_at limit :limit for update skip locked)
     update payment_operations o set check_at = :leased_until, attempts = o.attempts + 1
       from claimed c
      where o.slot = c.slot and o.merchant_id = c.merchant_id and o.id = c.id
     returning o.slot`,
    ['payment_operations'],
  ],
  [
    'a table that is joined to a common table expression',
    `with due as materialized (
       select slot, merchant_id, id from cards
        where {slot} and network_token_due_at <= :wall limit :limit for update skip locked
     ), claimed as (
       update cards c set network_token_due_at = :leased_until
         from due where {slot:c} and c.merchant_id = due.merchant_id and c.id = due.id
       returning c.slot, c.merchant_id, c.id)
     select claimed.*, k.offset_ms from claimed
       left join merchant_clocks k on k.slot = claimed.slot and k.merchant_id = claimed.merchant_id`,
    ['merchant_clocks'],
  ],
  [
    'the second of two tables in a list',
    'select 1 from orders o, payments p where {slot:o} and p.order_id = o.id',
    ['payments'],
  ],
  [
    'a scope that does not say which of two tables it is about',
    'select 1 from orders o join payments p on p.order_id = o.id where {slot}',
    ['orders', 'payments'],
  ],
  [
    'a subquery whose table only the query around it limits',
    'select 1 from orders o where {slot:o} and exists (select from payments p where p.order_id = o.id)',
    ['payments'],
  ],
  [
    'a query whose table only the subquery limits',
    'select 1 from orders o where exists (select from payments o where {slot:o})',
    ['orders'],
  ],
  [
    'one side of a union',
    '(select id from orders where {slot}) union all (select id from payments)',
    ['payments'],
  ],
  [
    'one side of a union without parentheses',
    'select 1 from orders where {slot} union select 1 from cards',
    ['cards'],
  ],
  ['a table of a derived table', 'select 1 from (select id from orders) o where {slot:o}', ['orders']],
  [
    'a table between parentheses',
    'select 1 from (orders o join cards c on {slot:c}) where {slot:c}',
    ['orders'],
  ],
  [
    'a table behind a function',
    'select 1 from unnest(:ids::uuid[]) as v (id) join cards c on c.id = v.id',
    ['cards'],
  ],
  ['a table of another schema', 'select 1 from public.cards where id = :slot', ['public.cards']],
  ['a deletion', 'delete from cards c using orders o where {slot:o} and o.id = c.id', ['cards']],
  ['what a deletion uses', 'delete from cards c using orders o where {slot:c} and o.id = c.id', ['orders']],
  ['a scope in a comment', 'select 1 from cards -- {slot}\n where id = :slot', ['cards']],
  ['a scope in a text', "select 1 from cards where name = '{slot}' and id = :slot", ['cards']],
  ['a quoted table', 'select 1 from "cards" where id = :slot', ['cards']],
  ['a scope that an `or` passes by', 'select 1 from cards where {slot} or id = :id', ['cards']],
  ['an `or` before the scope', 'select 1 from cards where id = :id or name = :name and {slot}', ['cards']],
  ['an `or` between parentheses', 'select 1 from cards where a = 1 and ({slot} or id = :id)', ['cards']],
  [
    'an `or` around parentheses',
    'select 1 from cards where (a = 1 and ({slot} and b = 2)) or id = :id',
    ['cards'],
  ],
  [
    'an `or` in a join',
    'select 1 from orders o join cards c on {slot:c} or c.id = o.card_id where {slot:o}',
    ['cards'],
  ],
  ['an `or` in an update', 'update cards set a = 1 where {slot} or id = any(:ids)', ['cards']],
  ['an `or` in a deletion', 'delete from cards where {slot} or id = any(:ids)', ['cards']],
  ['a scope that is denied', 'select 1 from cards where not {slot}', ['cards']],
  [
    'a scope between parentheses that is denied',
    'select 1 from cards where a = 1 and not ({slot})',
    ['cards'],
  ],
  ['a scope that is compared', 'select 1 from cards where a = 1 and {slot} = :flag', ['cards']],
  ['a scope in a call', 'select 1 from cards where coalesce({slot}, true)', ['cards']],
  [
    'a scope in a case',
    'select 1 from cards where case when a and {slot} and b then c else d end',
    ['cards'],
  ],
  ['a scope in the list of columns', 'select a, {slot} from cards', ['cards']],
  ['a scope in an order', 'select a from cards order by {slot}', ['cards']],
  [
    'a scope of the table before an outer join, in its condition',
    'select 1 from orders o left join cards c on {slot:o} and {slot:c}',
    ['orders'],
  ],
  [
    'a scope in the condition of a full join',
    'select 1 from orders o full join cards c on {slot:c} where {slot:o}',
    ['cards'],
  ],
];

const ACCEPTED_IN_A_SLOT: readonly (readonly [what: string, sql: string])[] = [
  ['a scope by the name of a table', 'select 1 from cards where {slot:cards}'],
  ['a scope of merchant and slot', 'select 1 from cards c where {scope:c}'],
  ['an `or` beside the scope', 'select 1 from cards where {slot} and (id = :id or name = :name) and b = 1'],
  ['an `or` in a case', 'select 1 from cards where case when a or b then c else d end and {slot}'],
  ['a scope between parentheses', 'select 1 from cards where a = 1 and (({slot}) and (b = 1 or c = 2))'],
  [
    'an `or` in the condition of another table',
    'select 1 from orders o join cards c on {slot:c} and c.a = 1 where (o.a = 1 or c.b = 2) and {slot:o}',
  ],
  [
    'a scope of the table of an outer join, in its condition',
    'select 1 from orders o left outer join cards c on {slot:c} and c.id = o.card_id where {slot:o}',
  ],
  ['a comparison that reads like a list of tables', 'select a is distinct from b from cards where {slot}'],
  [
    'a function that reads like a list of tables',
    "select extract(hour from at), 'from x' from cards where {slot}",
  ],
  [
    'a lock of one of several tables',
    'select 1 from cards c join orders o on {slot:o} where {slot:c} for update of c',
  ],
  [
    'a call in the list of tables',
    'select i from generate_series(1, :n) with ordinality as s (i, n), cards where {slot}',
  ],
  [
    'rows of values in the list of tables',
    'with m as (update cards set a = 1 where {slot} returning id) select e.a from m, (values (1), (2)) e (a)',
  ],
  ['a subquery in the list of columns', 'select (select 1 from orders where {slot}) from cards where {slot}'],
  [
    'a common table expression in a derived table',
    'select 1 from (with f as (select 1 from cards where {slot}) select * from f) as cards where {slot}',
  ],
];

describe('a statement over the merchants of a slot', () => {
  for (const [what, sql, tables] of REFUSED_IN_A_SLOT) {
    it(`is refused for ${what}`, () => {
      const faults = unscopedTables(sql, 'slot');
      assert.deepEqual(
        faults.map((fault) => /^Table (\S+) needs \{slot:\w+\}\.$/.exec(fault)?.[1]),
        tables,
      );
      assert.throws(() => slotSql(7, sql, {}), /must carry the slot/);
    });
  }

  for (const [what, sql] of ACCEPTED_IN_A_SLOT) {
    it(`is allowed with ${what}`, () => assert.deepEqual(unscopedTables(sql, 'slot'), []));
  }

  it('is refused without any slot, with or without a table', () => {
    assert.throws(() => slotSql(7, 'select 1', {}), /must carry the slot/);
  });
});

describe('a statement within a merchant', () => {
  it('is refused if a table is limited only to the slot', () => {
    const sql = 'select 1 from orders o join payments p on {slot:p} and p.order_id = o.id where {scope:o}';
    assert.deepEqual(unscopedTables(sql, 'scope'), ['Table payments needs {scope:p}.']);
    assert.throws(() => scopedSql(SCOPE, sql, {}), /must carry slot and merchant_id\. Table payments needs/);
  });

  it('is refused without slot and merchant, with or without a table', () => {
    assert.throws(() => scopedSql(SCOPE, 'select :slot', {}), /must carry slot and merchant_id/);
  });

  for (const sql of [
    'insert into notes (id, slot, merchant_id) values (:id, :slot, :merchant_id)',
    'insert into notes (slot, merchant_id, id) values (:slot, :merchant_id, 1), (:other, :merchant_id, 2)',
    'insert into notes (slot, merchant_id, id) values (:slot + 1, :merchant_id, 1)',
    'insert into notes (slot, merchant_id) select :slot, id from generate_series(1, 3) id',
    'insert into notes select :slot, :merchant_id',
  ]) {
    it(`is refused as ${sql}`, () => {
      assert.deepEqual(unscopedTables(sql, 'scope'), [
        'An insert into notes must begin with slot and merchant_id.',
      ]);
    });
  }

  for (const sql of [
    `insert into notes as n (slot, merchant_id, id) values (:slot, :merchant_id, 1), (:slot, :merchant_id, 2)
     on conflict (slot, merchant_id, id) do update set a = excluded.a, b = n.b where n.at < excluded.at`,
    'insert into notes (slot, merchant_id) select :slot, :merchant_id from unnest(:ids) on conflict do nothing',
    'with added as (insert into notes (slot, merchant_id) values (:slot, :merchant_id) returning *) insert into marks (slot, merchant_id) select a.slot, a.merchant_id from added a',
  ]) {
    it(`is allowed as ${sql.replaceAll(/\s+/g, ' ')}`, () =>
      assert.deepEqual(unscopedTables(sql, 'scope'), []));
  }

  it('is refused if an insert reads a table of other merchants', () => {
    const sql = 'insert into notes (slot, merchant_id) select slot, merchant_id from marks';
    assert.deepEqual(unscopedTables(sql, 'scope'), ['Table marks needs {scope:marks}.']);
  });
});

describe('a statement that cannot be parsed', () => {
  for (const sql of [
    'select (1 from cards',
    'select 1) from cards',
    'select 1 from',
    'with x as y select 1',
  ]) {
    it(`is refused: ${sql}`, () => assert.throws(() => unscopedTables(sql, 'slot')));
  }
});
