import { isComma, isWord, type Token, tokensOf } from './sql-tokens.ts';

/** What a statement must limit each table to: slot and merchant, or the slot only. */
export type Needs = 'scope' | 'slot';

interface Table {
  readonly name: string;
  /** Its alias, or its name if it has none. */
  readonly alias: string;
}

/** The tables and the scopes of one select, update or delete. */
interface Block {
  readonly tables: Table[];
  readonly scopes: (Token & { kind: 'scope' })[];
}

/** Words that end the list of tables of a `from`. */
const ENDS_TABLES = 'where group having window order limit offset fetch for set returning'.split(' ');
/** Words before `join`, and the word itself. */
const JOINS = 'join inner left right full cross natural'.split(' ');
/** Words that may follow a table and are not its alias. */
const NO_ALIAS = new Set([
  ...ENDS_TABLES,
  ...JOINS,
  ...'on using union intersect except with values tablesample'.split(' '),
]);
const QUERY = 'select with insert update delete values'.split(' ');

/**
 * One sentence for each table of the statement that has no `{scope:alias}` (or `{slot:alias}`) of its own, in the
 * select, update or delete that names it. A join to a table with a scope is not enough: through a common table
 * expression, the planner of a distributed database does not see it, and asks every shard. Nor is a scope that need not
 * be true: it must be a term of a `where` or `on` that `and` connects with all others.
 * @throws Error when the statement cannot be read
 */
export function unscopedTables(sql: string, needs: Needs): readonly string[] {
  const reader = new StatementReader(needs);
  reader.readQueries(tokensOf(sql));
  return reader.faults;
}

class StatementReader {
  readonly faults: string[] = [];
  readonly #needs: Needs;
  /** Names of common table expressions, which are not tables. */
  readonly #expressions = new Set<string>();

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  /** One query, or several that `union`, `intersect` or `except` connects. */
  readQueries(tokens: readonly Token[]): void {
    let start = 0;
    tokens.forEach((token, i) => {
      if (!isWord(token, 'union', 'intersect', 'except')) return;
      this.#readQuery(tokens.slice(start, i));
      start = i + 1;
    });
    this.#readQuery(tokens.slice(start));
  }

  #readQuery(tokens: readonly Token[]): void {
    const isBefore = (token: Token) => isWord(token, 'explain', 'all', 'distinct');
    const start = tokens.findIndex((token) => !isBefore(token));
    const query = this.#readExpressions(tokens.slice(Math.max(start, 0)));
    if (isWord(query[0], 'insert')) {
      this.#readInsert(query);
      return;
    }
    const block: Block = { tables: [], scopes: [] };
    const first = isWord(query[0], 'update') ? this.#readTable(query, 1, block) : 0;
    this.#readBody(query, first, block);
    this.#check(block);
  }

  /** Reads `with name as (query), …`. Returns what follows it. */
  #readExpressions(tokens: readonly Token[]): readonly Token[] {
    if (!isWord(tokens[0], 'with')) return tokens;
    let i = isWord(tokens[1], 'recursive') ? 2 : 1;
    for (;;) {
      const name = nameAt(tokens, i);
      i += 1;
      if (tokens[i]?.kind === 'group') i += 1;
      while (isWord(tokens[i], 'as', 'not', 'materialized')) i += 1;
      const query = tokens[i];
      if (query?.kind !== 'group') throw new Error(`The common table expression ${name} has no query.`);
      this.#expressions.add(name);
      this.readQueries(query.tokens);
      i += 1;
      if (!isComma(tokens[i])) return tokens.slice(i);
      i += 1;
    }
  }

  /** The rest of a select, update or delete, from token `start` on. */
  #readBody(tokens: readonly Token[], start: number, block: Block): void {
    const isDelete = isWord(tokens[0], 'delete');
    let listsTables = false;
    /** The tables that the condition of an outer join limits; undefined after any other join. */
    let limited: readonly Table[] | undefined;
    for (let i = start; i < tokens.length; ) {
      const token = tokens[i]!;
      const startsList = isFrom(tokens, i) || (isDelete && isWord(token, 'using'));
      if (startsList) listsTables = true;
      if (startsList || isWord(token, 'join') || (listsTables && isComma(token))) {
        const before = block.tables.length;
        const side = outerSide(tokens, i);
        i = this.#readTable(tokens, i + 1, block);
        limited = side && (side === 'left' ? block.tables.slice(before) : []);
        continue;
      }
      if (isWord(token, ...ENDS_TABLES)) listsTables = false;
      if (isWord(token, 'where', 'on')) {
        const condition = conditionAt(tokens, i + 1);
        this.#readCondition(condition, block, isWord(token, 'on') ? limited : undefined);
        i += 1 + condition.length;
        continue;
      }
      this.#readPart(token, block);
      i += 1;
    }
  }

  #readCondition(condition: readonly Token[], block: Block, limited: readonly Table[] | undefined): void {
    const required: Block = { tables: [], scopes: [] };
    condition.forEach((token, i) => {
      this.#readPart(token, required, isRequired(condition, i));
    });
    const counts = ({ alias }: { alias: string | undefined }) =>
      limited === undefined || limited.some((table) => alias === undefined || table.alias === alias);
    block.scopes.push(...required.scopes.filter(counts));
  }

  /** A table, a function or a query in a list of tables. Returns the index after its alias. */
  #readTable(tokens: readonly Token[], start: number, block: Block): number {
    let i = start;
    while (isWord(tokens[i], 'only', 'lateral')) i += 1;
    const item = tokens[i];
    if (item?.kind === 'group') {
      if (isQuery(item)) this.readQueries(item.tokens);
      else this.#readBody([FROM, ...item.tokens], 0, block);
      return readAlias(tokens, i + 1).next;
    }
    const name = nameAt(tokens, i);
    const argument = tokens[i + 1];
    if (argument?.kind === 'group') {
      this.#readPart(argument, block);
      return readAlias(tokens, i + 2).next;
    }
    const { alias = name.split('.').at(-1)!, next } = readAlias(tokens, i + 1);
    if (!this.#expressions.has(name)) block.tables.push({ name, alias });
    return next;
  }

  /** Any other part of a query: reads subqueries, and collects the scopes of a condition that must be true. */
  #readPart(token: Token, block: Block, mustBeTrue = false): void {
    if (token.kind === 'scope' && mustBeTrue) block.scopes.push(token);
    if (token.kind !== 'group') return;
    if (isQuery(token)) {
      this.readQueries(token.tokens);
      return;
    }
    token.tokens.forEach((inner, i) => {
      this.#readPart(inner, block, mustBeTrue && isRequired(token.tokens, i));
    });
  }

  /** `insert into table [as alias] (columns) values … | select …` */
  #readInsert(tokens: readonly Token[]): void {
    const name = nameAt(tokens, 2);
    const at = isWord(tokens[3], 'as') ? 5 : 3;
    const columns = tokens[at];
    const source = tokens.slice(at + 1);
    const rows =
      isWord(source[0], 'values') && source[1]?.kind === 'group'
        ? rowsOf(source)
        : [source.slice(source.findIndex((token) => isWord(token, 'select')) + 1)];
    const isScoped =
      columns?.kind === 'group' &&
      leads(columns.tokens, 'scope') &&
      rows.every((row) => leads(row, this.#needs));
    if (!isScoped) this.faults.push(`An insert into ${name} must begin with slot and merchant_id.`);
    this.readQueries(source);
  }

  #check({ tables, scopes }: Block): void {
    for (const { name, alias } of tables) {
      const isScoped = scopes.some(
        (scope) =>
          (scope.covers === 'scope' || this.#needs === 'slot') &&
          (scope.alias === undefined ? tables.length === 1 : scope.alias === alias),
      );
      if (!isScoped) this.faults.push(`Table ${name} needs {${this.#needs}:${alias}}.`);
    }
  }
}

const FROM: Token = { kind: 'word', text: 'from' };

function isFrom(tokens: readonly Token[], i: number): boolean {
  const isComparison = isWord(tokens[i - 1], 'distinct') && isWord(tokens[i - 2], 'is', 'not');
  return isWord(tokens[i], 'from') && !isComparison;
}

/** The side of the outer join at `i`; undefined for an inner join or a comma. */
function outerSide(tokens: readonly Token[], i: number): 'left' | 'right' | 'full' | undefined {
  const side = tokens[isWord(tokens[i - 1], 'outer') ? i - 2 : i - 1];
  return isWord(side, 'left', 'right', 'full')
    ? (side as { text: 'left' | 'right' | 'full' }).text
    : undefined;
}

/** The tokens from `start` to the end of a `where` or `on`. */
function conditionAt(tokens: readonly Token[], start: number): readonly Token[] {
  const length = tokens
    .slice(start)
    .findIndex((token) => isComma(token) || isWord(token, ...ENDS_TABLES, ...JOINS, 'on'));
  return length === -1 ? tokens.slice(start) : tokens.slice(start, start + length);
}

/**
 * Whether the token at `i` is a term without which the condition is not true: only `and` connects it with the others.
 */
function isRequired(condition: readonly Token[], i: number): boolean {
  let cases = 0;
  for (const [j, token] of condition.entries()) {
    if (isWord(token, 'case')) cases += 1;
    if (isWord(token, 'end')) cases -= 1;
    if (cases > 0 ? j === i : isWord(token, 'or')) return false;
  }
  return [condition[i - 1], condition[i + 1]].every((next) => next === undefined || isWord(next, 'and'));
}

function isQuery(group: Token & { kind: 'group' }): boolean {
  const [first] = group.tokens;
  return first?.kind === 'group' ? isQuery(first) : isWord(first, ...QUERY);
}

function nameAt(tokens: readonly Token[], i: number): string {
  const token = tokens[i];
  if (token?.kind !== 'word') throw new Error('A statement has no name where one is needed.');
  return token.text;
}

/** `[with ordinality] [as] alias [(columns)]` */
function readAlias(tokens: readonly Token[], start: number): { alias?: string; next: number } {
  let i = start;
  if (isWord(tokens[i], 'with')) i += 2;
  if (isWord(tokens[i], 'as')) i += 1;
  const token = tokens[i];
  if (token?.kind !== 'word' || NO_ALIAS.has(token.text)) return { next: i };
  return { alias: token.text, next: tokens[i + 1]?.kind === 'group' ? i + 2 : i + 1 };
}

/** The rows of `values (…), (…)`. */
function rowsOf(source: readonly Token[]): (readonly Token[])[] {
  const rows: (readonly Token[])[] = [];
  for (let i = 1; ; i += 2) {
    const row = source[i];
    if (row?.kind === 'group') rows.push(row.tokens);
    if (!isComma(source[i + 1])) return rows;
  }
}

/** Whether a list begins with the slot and, if needed, the merchant: as parameters or as columns. */
function leads(list: readonly Token[], needs: Needs): boolean {
  const isValue = (token: Token | undefined, name: string) =>
    token?.kind === 'parameter'
      ? token.name === name
      : token?.kind === 'word' && token.text.split('.').at(-1) === name;
  const isAlone = (token: Token | undefined) => token === undefined || isComma(token);
  return (
    isValue(list[0], 'slot') &&
    isAlone(list[1]) &&
    (needs === 'slot' || (isValue(list[2], 'merchant_id') && (isAlone(list[3]) || isWord(list[3], 'from'))))
  );
}
