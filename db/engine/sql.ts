import type { MerchantScope } from '../../domain/scope.ts';

export type SqlParams = Readonly<Record<string, unknown>>;

interface CompiledSql {
  /** With `$1`, `$2` … for the parameters, one for each place. */
  readonly text: string;
  /** Of the parameter of each place. */
  readonly names: readonly string[];
}

const compiled = new Map<string, CompiledSql>();

/** `{scope}` or `{scope:alias}`: the two columns that every key starts with; `{slot}` alone for slot-wide work. */
const SCOPE = /\{(scope|slot)(?::([a-z_]+))?\}/g;
/** `:name`, but not `::type`. */
const PARAMETER = /(?<!:):([a-z_][a-z0-9_]*)/g;

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

function compileOnce(sql: string): CompiledSql {
  let known = compiled.get(sql);
  if (known === undefined) {
    known = compile(sql);
    compiled.set(sql, known);
  }
  return known;
}

function bind(statement: CompiledSql, params: SqlParams): unknown[] {
  return statement.names.map((name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`The SQL parameter :${name} has no value.`);
    return value;
  });
}

/** Text and values of a statement that runs within one merchant. Refuses a text that leaves slot or merchant out. */
export function scopedSql(scope: MerchantScope, sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql);
  if (!statement.names.includes('slot') || !statement.names.includes('merchant_id')) {
    throw new Error(`A statement must carry slot and merchant_id: ${sql}`);
  }
  return [statement.text, bind(statement, { ...params, slot: scope.slot, merchant_id: scope.merchantId })];
}

/** The same for work that claims within one slot, whosever it is. */
export function slotSql(slot: number, sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql);
  if (!statement.names.includes('slot')) throw new Error(`A statement must carry the slot: ${sql}`);
  return [statement.text, bind(statement, { ...params, slot })];
}

/** For discovery of slots with work and for administration only: may touch every shard. */
export function anySql(sql: string, params: SqlParams): [string, unknown[]] {
  const statement = compileOnce(sql);
  return [statement.text, bind(statement, params)];
}
