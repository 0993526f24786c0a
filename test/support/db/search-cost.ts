import type { Client } from 'pg';
import type { Database } from '../../../db/engine/database.ts';
import { anySql, type SqlParams, scopedSql, slotSql } from '../../../db/engine/sql.ts';
import type { MerchantScope } from '../../../domain/scope.ts';

/** A search that sends one statement. */
export type Search = (watching: Database) => Promise<unknown>;

/** A node of a plan as Postgres ran it, as far as it is read here. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** The plans of a search after it has run: the one for these values, and the one that serves every value. */
async function plansOf(client: Client, search: Search): Promise<PlanNode[]> {
  const asked: [string, unknown[]][] = [];
  await search({
    anywhere: async (sql: string, params: SqlParams) => {
      asked.push(anySql(sql, params ?? {}));
      return [];
    },
    slotRows: async (slot: number, sql: string, params: SqlParams) => {
      asked.push(slotSql(slot, sql, params));
      return [];
    },
    one: async (asking: MerchantScope, sql: string, params: SqlParams = {}) => {
      asked.push(scopedSql(asking, sql, params));
      return {};
    },
  } as unknown as Database);
  const [text, values] = asked[0]!;
  const literals = values.map((value) => (value === null ? 'null' : client.escapeLiteral(literal(value))));
  const given = literals.length === 0 ? '' : `(${literals.join(', ')})`;
  const plans: PlanNode[] = [];
  for (const mode of ['force_generic_plan', 'force_custom_plan']) {
    await client.query(`deallocate all; set plan_cache_mode = ${mode}; prepare search as ${text}`);
    const { rows } = await client.query(`explain (analyze, buffers, format json) execute search ${given}`);
    plans.push(rows[0]['QUERY PLAN'][0].Plan);
  }
  return plans;
}

/** The pages that a search reads in its worst plan. */
export async function pagesRead(client: Client, search: Search): Promise<number> {
  const plans = await plansOf(client, search);
  return Math.max(...plans.map((plan) => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']));
}

/** The rows of tables and indexes that a search reads in its worst plan. */
export async function rowsRead(client: Client, search: Search): Promise<number> {
  const readBy = (node: PlanNode): number => {
    const { Plans: below = [] } = node;
    const isOfTable = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type']);
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
    return below.reduce((sum, plan) => sum + readBy(plan), isOfTable ? rows : 0);
  };
  return Math.max(...(await plansOf(client, search)).map(readBy));
}

function literal(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}
