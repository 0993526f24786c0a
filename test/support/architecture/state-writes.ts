import { callersOf, MACHINES, type Machine, statementsOf, writersOf } from './machines.ts';
import { type Source, withoutComments } from './sources.ts';

/** Updates and upserts: the table, which may be known at run time only (`${table}`), and what is assigned. */
const UPDATES = [
  /\bupdate\s+(\w+|\$\{[^}]+\})(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b([\s\S]*?)(?=\bwhere\b|\bfrom\b|\breturning\b|['"`]|$)/gi,
  /\binsert\s+into\s+(\w+|\$\{[^}]+\})(?=[\s(])(?:(?!\binsert\b)[\s\S])*?\bdo\s+update\s+set\b([\s\S]*?)(?=\bwhere\b|\breturning\b|['"`]|$)/gi,
];

/** Inserts: the table, and its columns. */
const INSERTS = /\binsert\s+into\s+(\w+|\$\{[^}]+\})\s*\(([^)]*)\)/gi;

/**
 * Files that put the name of a table together at run time, and what they write. In any other file, such a statement is
 * taken for one of every machine and of the ledger.
 */
const RUN_TIME_TABLES: Readonly<Record<string, string>> = {
  'db/orders/place-order.ts': 'inserts an order, its payment, the first operation and the event',
  'db/due-rows.ts': 'postpones the due step of a payment, a mandate or a subscription',
  'db/expired-rows.ts': 'deletes rows whose time is over, of tables that jobs list',
  'db/merchants/merchant-data.ts':
    'deletes all rows of a merchant when its sandbox is reset, also of the ledger',
  'db/vault/sealed-values.ts': 'replaces sealed values by the same values, sealed with another key',
};

/** One sentence for each statement, and each call of one, that writes the state of a machine past its mover. */
export function stateWrites(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const source = { path, text: withoutComments(text) };
      return MACHINES.flatMap((machine) => writesPastMover(source, machine));
    });
}

function writesPastMover(source: Source, machine: Machine): string[] {
  const { path, text } = source;
  const { table, inserts = [] } = machine;
  const files = statementsOf(machine);
  const faults: string[] = [];
  if (!files.includes(path) && updates(source, machine))
    faults.push(`${path} writes the state of ${table}: only ${files.join(', ')} may.`);
  if (![...files, ...inserts].includes(path) && insertsState(source, machine))
    faults.push(`${path} inserts rows of ${table} with a state.`);
  for (const writer of writersOf(machine)) {
    const callers = callersOf(machine, writer);
    if (![...files, ...callers].includes(path) && calls(text, writer.write))
      faults.push(`${path} calls ${writer.write}: only ${callers.join(', ')} may.`);
  }
  if (files.includes(path) && namesState(source, machine))
    faults.push(`${path} names a state of ${table} in SQL: it comes from the machine's table of moves.`);
  return faults;
}

/** Machines whose statements or callers are not where the list says. */
export function lostMachines(sources: readonly Source[]): string[] {
  const codeOf = (path: string) => {
    const text = sources.find((source) => source.path === path)?.text ?? '';
    return { path, text: withoutComments(text) };
  };
  return MACHINES.flatMap((machine) => [
    ...writersOf(machine)
      .filter((writer) => {
        const source = codeOf(writer.statement);
        const isWriter =
          source.text.includes(`function ${writer.write}(`) &&
          (updates(source, machine) || insertsState(source, machine));
        return (
          !isWriter || !callersOf(machine, writer).every((path) => calls(codeOf(path).text, writer.write))
        );
      })
      .map(({ write }) => `${write} does not move ${machine.table}.${machine.columns[0]}.`),
    ...(machine.inserts ?? [])
      .filter((path) => !insertsState(codeOf(path), machine))
      .map((path) => `${path} does not insert rows of ${machine.table} with a state.`),
  ]);
}

/** Whether an update of the table assigns one of the columns, or a list of columns that is put together at run time. */
function updates(source: Source, machine: Machine): boolean {
  const assigned = new RegExp(`\\b(${machine.columns.join('|')})\\s*=|\\$\\{`);
  return updatesOf(source, machine).some((list) => assigned.test(list));
}

/** What the updates and upserts of a machine's table assign. A text in quotes ends the list. */
function updatesOf(source: Source, machine: Machine): string[] {
  return UPDATES.flatMap((pattern) =>
    [...source.text.matchAll(pattern)]
      .filter(([, name]) => mayBe(name!, source.path, machine))
      .map(([, , set]) => set!),
  );
}

/** Whether an update or upsert assigns a state that it names itself, so that no table of moves allows it. */
function namesState(source: Source, machine: Machine): boolean {
  const named = new RegExp(`\\b${machine.columns[0]}\\s*=\\s*(excluded\\.|$)`, 'i');
  return updatesOf(source, machine).some((assigned) => named.test(assigned));
}

/** Whether an insert into the table names the column of the state, and so does not leave it to its default. */
function insertsState(source: Source, machine: Machine): boolean {
  const named = new RegExp(`\\b${machine.columns[0]}\\b|\\$\\{`);
  return [...source.text.matchAll(INSERTS)].some(
    ([, name, list]) => mayBe(name!, source.path, machine) && named.test(list!),
  );
}

/** Whether a name in SQL can be that of the machine's table. */
function mayBe(name: string, path: string, machine: Machine): boolean {
  if (!name.startsWith('$')) return name === machine.table;
  return !(path in RUN_TIME_TABLES) || [...statementsOf(machine), ...(machine.inserts ?? [])].includes(path);
}

function calls(code: string, write: string): boolean {
  return new RegExp(`(?<!function )\\b${write}\\(`).test(code);
}

/** Also statements whose table is known at run time only. Sentences with a name in them are none. */
const LEDGER_WRITES =
  /\b(insert\s+into|update|delete\s+from)\s+(ledger_\w+|\$\{[^}]+\}(?=\s*\(|\s+(?:\w+\s+)?(?:set|where|using)\b))/gi;

/** The tables of the ledger, and the files that may write them. */
const LEDGER_WRITERS: Readonly<Record<string, readonly string[]>> = {
  ledger_transfers: ['db/ledger/post-transfers.ts'],
  ledger_balances: ['db/ledger/post-transfers.ts', 'db/ledger/balances.ts'],
};

/**
 * One sentence for each statement that writes the ledger in another file, or changes a transfer anywhere except for a
 * reset of a sandbox.
 */
export function ledgerWritesElsewhere(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const written = [...withoutComments(text).matchAll(LEDGER_WRITES)];
      return written
        .filter(([, verb, table]) => {
          if (table!.startsWith('$')) return !(path in RUN_TIME_TABLES);
          const isChange = table === 'ledger_transfers' && !/^insert/i.test(verb!);
          return isChange || !LEDGER_WRITERS[table!]?.includes(path);
        })
        .map(([statement]) => `${path} must not ${statement!.replaceAll(/\s+/g, ' ')}.`);
    });
}

/** Files that no longer put the name of a table together. */
export function idleRunTimeTables(sources: readonly Source[]): string[] {
  const named = /\b(insert\s+into|update|delete\s+from)\s+\$\{/i;
  return Object.keys(RUN_TIME_TABLES).filter(
    (path) => !sources.some((source) => source.path === path && named.test(source.text)),
  );
}
