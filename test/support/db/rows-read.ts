import type { ClientBase } from 'pg';
import type { Queryable } from '../../../db/engine/database.ts';
import { scopedSql } from '../../../db/engine/sql.ts';
import type { MerchantScope } from '../../../domain/scope.ts';

interface Step {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Step[];
}

/**
 * The plans of a statement after it has run: the one for these values, and the one that serves every value. `ask` sends
 * the statement, and gets no rows. Its changes are undone.
 */
async function plansOf(client: ClientBase, ask: (q: Queryable) => Promise<unknown>): Promise<Step[]> {
  let asked: [string, unknown[]] | undefined;
  const watch =
    <Result>(result: Result) =>
    async (of: MerchantScope, sql: string, params: object = {}) => {
      asked = scopedSql(of, sql, { ...params });
      return result;
    };
  const watching = { rows: watch([]), maybeOne: watch(undefined), execute: watch(0) } as unknown as Queryable;
  await ask(watching);
  const [text, values] = asked!;
  const literals = values.map((value) => client.escapeLiteral(literal(value))).join(', ');
  const plans: Step[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`begin; deallocate all; set local plan_cache_mode = ${mode}; prepare page as ${text}`);
    try {
      const { rows } = await client.query(
        `explain (analyze, buffers, format json) execute page (${literals})`,
      );
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
    } finally {
      await client.query('rollback');
    }
  }
  return plans;
}

/** How many rows each step of the plans of a statement takes, the most of them first. */
export async function rowsRead(
  client: ClientBase,
  ask: (q: Queryable) => Promise<unknown>,
): Promise<number[]> {
  const steps = (plan: Step): number[] => [
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'],
    ...(plan.Plans ?? []).flatMap(steps),
  ];
  return (await plansOf(client, ask)).flatMap(steps).sort((a, b) => b - a);
}

/** How many pages of tables and indexes a statement reads in its worst plan: also those of keys that do not match. */
export async function pagesRead(
  client: ClientBase,
  ask: (q: Queryable) => Promise<unknown>,
): Promise<number> {
  const plans = await plansOf(client, ask);
  return Math.max(...plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']));
}

function literal(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
}

function element(value: unknown): string {
  return value === null ? 'null' : JSON.stringify(literal(value));
}
