import type { MerchantScope } from '../../domain/scope.ts';
import { type Needs, unscopedTables } from './scope-check.ts';

export type SqlParams = Readonly<Record<string, unknown>>;

interface CompiledSql {
  /** With `$1`, `$2` … for the parameters. */
  readonly text: string;
  /** The names of the parameters, in this order. */
  readonly names: readonly string[];
}

/**
 * `{scope}` or `{scope:alias}`: the conditions on slot and merchant, which every key starts with. `{slot}` or
 * `{slot:alias}`: the slot alone.
 */
const SCOPE = /\{(scope|slot)(?::([a-z_][a-z0-9_]*))?\}/g;
/** `:name`, but not `::type`. */
const PARAMETER = /(?<!:):([a-z_][a-z0-9_]*)/g;

/** Compiled statements, by the scope that was required of them. */
const compiled: Readonly<Record<Needs | 'nothing', Map<string, CompiledSql>>> = {
  scope: new Map(),
  slot: new Map(),
  nothing: new Map(),
};

/** Compiles a statement once. Throws when it lacks a required limit. */
function compileOnce(sql: string, needs: Needs | 'nothing'): CompiledSql {
  let known = compiled[needs].get(sql);
  if (known === undefined) {
    known = compile(sql);
    if (needs !== 'nothing') refuseUnscoped(known, sql, needs);
    compiled[needs].set(sql, known);
  }
  return known;
}

function compile(sql: string): CompiledSql {
  const scoped = sql.replace(SCOPE, (_, what: string, alias?: string) => {
    const prefix = alias === undefined ? '' : `${alias}.`;
    return what === 'slot'
      ? `${prefix}slot = :slot`
      : `${prefix}slot = :slot and ${prefix}merchant_id = :merchant_id`;
  });
  const names: string[] = [];
  const text = scoped.replace(PARAMETER, (_, name: string) => `$${names.push(name)}`);
  return { text, names };
}

function refuseUnscoped({ names }: CompiledSql, sql: string, needs: Needs): void {
  const faults = unscopedTables(sql, needs);
  const isComplete = names.includes('slot') && (needs === 'slot' || names.includes('merchant_id'));
  if (isComplete && faults.length === 0) return;
  const what = needs === 'slot' ? 'the slot' : 'slot and merchant_id';
  throw new Error(`A statement must carry ${what}. ${faults.join(' ')} ${sql}`);
}

function bind(statement: CompiledSql, params: SqlParams): unknown[] {
  return statement.names.map((name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The SQL parameter :${name} has no value.`);
    return value;
  });
}

/**
 * Text and values of a statement within one merchant. Throws when a table of the statement is not limited to the
 * merchant.
 */
export function scopedSql(scope: MerchantScope, sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql, 'scope');
  return [statement.text, bind(statement, { ...params, slot: scope.slot, merchant_id: scope.merchantId })];
}

/** Text and values of a statement over the merchants of one slot. Throws when a table is not limited to the slot. */
export function slotSql(slot: number, sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql, 'slot');
  return [statement.text, bind(statement, { ...params, slot })];
}

/** Text and values of a statement that may touch every shard: discovery of slots with work, and administration. */
export function anySql(sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql, 'nothing');
  return [statement.text, bind(statement, params)];
}
