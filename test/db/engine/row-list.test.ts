import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { rowList } from '../../../db/engine/row-list.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

const TYPES = {
  id: 'uuid',
  name: 'text',
  amount: 'bigint',
  cycle: 'integer',
  count: 'smallint',
  is_open: 'boolean',
  day: 'date',
  at: 'timestamptz',
  data: 'json',
  more: 'jsonb',
} as const;

const rowOf = (n: number) => ({
  id: `00000000-0000-7000-8000-00000000000${n}`,
  name: `"é", {\\} 'x' ${n}`,
  amount: 2 ** 40 + n,
  cycle: n,
  count: n,
  is_open: n % 2 === 0,
  day: `2031-05-0${n}`,
  at: new Date(Date.UTC(2031, 4, n, 12, 0, 0, 123)),
  data: { text: `a "quoted" \\ {text}, ${n}`, list: [n, null] },
  more: [{ n }],
});
const NOTHING = Object.fromEntries(Object.keys(TYPES).map((name) => [name, null])) as Record<
  keyof typeof TYPES,
  null
>;
const asParameters = (row: ReturnType<typeof rowOf>) => ({
  ...row,
  data: JSON.stringify(row.data),
  more: JSON.stringify(row.more),
});

describe('a list of rows is read as it was passed', () => {
  for (const count of [1, 2, 4, 5, 9]) {
    test(`of ${count}`, async () => {
      const rows = Array.from({ length: count }, (_, i) => rowOf(i + 1));
      const { sql, params } = rowList('n', TYPES, [...rows.map(asParameters).slice(1), NOTHING]);
      const read = await service.deps.db.anywhere(`select n.* from ${sql}`, params);
      assert.deepEqual(read, [...rows.slice(1), NOTHING]);
    });
  }
});

test('the text of a statement with a long list does not depend on its length', () => {
  const textOf = (count: number) => rowList('n', TYPES, Array(count).fill(NOTHING)).sql;
  assert.equal(textOf(5), textOf(60));
});

test('a statement with a list that is planned for one row is not planned again for each call', async () => {
  const genericPlans = async (isPlannedForOne: boolean) => {
    const { sql, params } = rowList('n', { id: 'uuid' }, Array(5).fill({ id: randomUUID() }), {
      isPlannedForOne,
    });
    const { merchant } = (await Shop.open(service)).onboarded;
    return service.deps.db.transaction(merchant, async (tx) => {
      for (const statement of [
        'create temporary table keyed (id uuid primary key) on commit drop',
        'insert into keyed select gen_random_uuid() from generate_series(1, 5000)',
        'analyze keyed',
      ])
        await tx.anywhere(statement);
      // Postgres plans the first five calls for their parameters, and then compares the costs.
      for (let i = 0; i < 8; i++)
        await tx.anywhere(`select k.id from keyed k, ${sql} where k.id = n.id`, params);
      const [prepared] = await tx.anywhere<{ generic: number }>(
        `select generic_plans as generic from pg_prepared_statements
          where statement like 'select k.id from keyed%' order by prepare_time desc limit 1`,
      );
      return prepared!.generic;
    });
  };
  assert.equal(await genericPlans(false), 0);
  assert.equal(await genericPlans(true), 3);
});
