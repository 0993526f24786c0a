import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstIdAt } from '../../../db/engine/ids-by-time.ts';
import { defineList, equals, filterParams, listStatement } from '../../../db/engine/list.ts';
import { scopedSql } from '../../../db/engine/sql.ts';

interface Filter {
  readonly status?: string | undefined;
  readonly minAmount?: number | undefined;
  readonly kinds?: readonly string[] | undefined;
}

const DEFINITION = {
  columns: 'id, status',
  from: 'things',
  filters: {
    status: equals('status'),
    minAmount: (query, amount) => query.where('amount', '>=', amount),
    kinds: { anyOf: 'kind' },
  },
} satisfies Parameters<typeof defineList<unknown, Filter>>[0];
const THINGS = defineList<unknown, Filter>(DEFINITION);
const UNBOUNDED = { after: false, createdFrom: false, createdBefore: false };
const SCOPE = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000001' };
const CURSOR_AT = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor_at`;
const ORDER = 'order by created_at desc, id desc limit :limit';

describe('a list', () => {
  const statements: readonly (readonly [
    what: string,
    filter: Filter,
    bounds: Partial<typeof UNBOUNDED>,
    conditions: string,
  ])[] = [
    ['without filters asks for the merchant alone', {}, {}, '{scope}'],
    ['leaves out a filter that is undefined', { status: undefined, minAmount: undefined }, {}, '{scope}'],
    [
      'names each filter that is given',
      { minAmount: 5, status: 'open' },
      {},
      '{scope} and "amount" >= :by_min_amount and "status" = :by_status',
    ],
    [
      'names the bounds of a page',
      {},
      { after: true, createdFrom: true, createdBefore: true },
      '{scope} and (created_at, id) < (:cursor_at, :cursor_id) and "created_at" >= :created_from and "created_at" < :created_before',
    ],
    ['takes an array of one value for that value', { kinds: ['a'] }, {}, '{scope} and "kind" = :by_kinds_0'],
    ['takes an empty array for no filter', { kinds: [] }, {}, '{scope}'],
  ];
  for (const [what, filter, bounds, conditions] of statements) {
    test(what, () => {
      const text = listStatement([THINGS], filter, { ...UNBOUNDED, ...bounds });
      assert.equal(text, `select id, status, ${CURSOR_AT} from things where ${conditions} ${ORDER}`);
    });
  }

  test('reads a page of each value of an array, and merges them', () => {
    const text = listStatement([THINGS], { kinds: ['a', 'b'], status: 'open' }, UNBOUNDED);
    const select = (i: number) =>
      `select id, status, ${CURSOR_AT} from things where {scope} and "status" = :by_status and "kind" = :by_kinds_${i} ${ORDER}`;
    assert.equal(text, `(${select(0)}) union all (${select(1)}) ${ORDER}`);
  });

  test('reads a joined table under its alias, ordered by another column', () => {
    const list = defineList<unknown, Filter>({
      ...DEFINITION,
      columns: 't.id',
      from: 'things t join others o on {scope:o} and o.id = t.other_id',
      alias: 't',
      idColumn: 'other_id',
      where: 't.deleted_at is null',
    });
    const at = CURSOR_AT.replace('created_at', 't.created_at');
    assert.equal(
      listStatement([list], { status: 'open' }, UNBOUNDED),
      `select t.id, ${at}, t.other_id as cursor_id from things t join others o on {scope:o} and o.id = t.other_id where {scope:t} and t.deleted_at is null and "status" = :by_status order by t.created_at desc, t.other_id desc limit :limit`,
    );
  });

  test('whose ids were made at the time of creation is ordered and bounded by them', () => {
    const list = defineList<unknown, Filter>({ ...DEFINITION, hasIdsByTime: true });
    const all = { after: true, createdFrom: true, createdBefore: true };
    assert.equal(
      listStatement([list], { status: 'open' }, all),
      `select id, status, ${CURSOR_AT} from things where {scope} and id < :cursor_id and id >= ${firstIdAt('cast(:created_from as timestamptz)')} and id < ${firstIdAt('cast(:created_before as timestamptz)')} and "status" = :by_status order by id desc limit :limit`,
    );
  });

  test('is built once for each combination of filters and bounds', () => {
    let built = 0;
    const list = defineList<unknown, Pick<Filter, 'status'>>({
      ...DEFINITION,
      filters: { status: () => (built += 1) },
    });
    for (const status of ['a', 'b']) listStatement([list], { status }, UNBOUNDED);
    assert.equal(built, 1);
    listStatement([list], { status: 'a' }, { ...UNBOUNDED, after: true });
    assert.equal(built, 2);
  });

  test('binds each value under its name', () => {
    const filter = { status: 'open', minAmount: 5, kinds: ['a', 'b'] };
    assert.deepEqual(filterParams(filter), {
      by_status: 'open',
      by_min_amount: 5,
      by_kinds_0: 'a',
      by_kinds_1: 'b',
    });
    const text = listStatement([THINGS], filter, UNBOUNDED);
    const [sql, values] = scopedSql(SCOPE, text, { ...filterParams(filter), limit: 3 });
    assert.match(sql, /"status" = \$3 and "amount" >= \$4 and "kind" = \$5 order by/);
    assert.deepEqual(values.slice(0, 6), [7, SCOPE.merchantId, 'open', 5, 'a', 3]);
  });

  test('is refused if a condition contains a value, which would be lost', () => {
    const list = defineList<unknown, Pick<Filter, 'status'>>({
      ...DEFINITION,
      filters: { status: (query) => query.where('status', 'open') },
    });
    assert.throws(() => listStatement([list], { status: 'open' }, UNBOUNDED), /contains a value/);
  });
});
