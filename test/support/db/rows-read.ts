import type { ClientBase } from 'pg';
import type { Queryable } from '../../../db/engine/database.ts';
import { scopedSql } from '../../../db/engine/sql.ts';
import type { MerchantScope } from '../../../domain/scope.ts';

interface Step {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Step[];
}

/**
 * How many rows each step of the plan of a statement takes, the most of them first. The plan is the one that serves
 * every value. `ask` sends the statement, and gets no rows.
 */
export async function rowsRead(
  client: ClientBase,
  ask: (q: Queryable) => Promise<unknown>,
): Promise<number[]> {
  let asked: [string, unknown[]] | undefined;
  const watching = {
    rows: async (of: MerchantScope, sql: string, params: object) => {
      asked = scopedSql(of, sql, { ...params });
      return [];
    },
  } as unknown as Queryable;
  await ask(watching);
  const [text, values] = asked!;
  await client.query(`deallocate all; set plan_cache_mode = force_generic_plan; prepare page as ${text}`);
  const literals = values.map((value) => client.escapeLiteral(literal(value))).join(', ');
  const { rows } = await client.query(`explain (analyze, format json) execute page (${literals})`);
  const steps = (plan: Step): number[] => [
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
    ...(plan.Plans ?? []).flatMap(steps),
  ];
  return steps(rows[0]['QUERY PLAN'][0].Plan).sort((a, b) => b - a);
}

function literal(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}
