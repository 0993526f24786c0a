import { MACHINES, type Machine, writersOf } from './machines.ts';
import { type Source, withoutComments } from './sources.ts';

/** Updates and upserts: the table, and what is assigned. */
const UPDATES = [
  /\bupdate\s+(\w+)(?:\s+(?:as\s+)?(?!set\b)\w+)?\s+set\b([\s\S]*?)(?=\bwhere\b|\bfrom\b|\breturning\b|['"`]|$)/gi,
  /\binsert\s+into\s+(\w+)\b(?:(?!\binsert\b)[\s\S])*?\bdo\s+update\s+set\b([\s\S]*?)(?=\bwhere\b|\breturning\b|['"`]|$)/gi,
];

/** Inserts: the table, and its columns. */
const INSERTS = /\binsert\s+into\s+(\w+)\s*\(([^)]*)\)/gi;

/** One sentence for each statement, and each call of one, that writes the state of a machine past its mover. */
export function stateWrites(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const code = withoutComments(text);
      return MACHINES.flatMap((machine) => {
        const { table, insert, mover } = machine;
        const files = writersOf(machine).map(({ statement }) => statement);
        const called = writersOf(machine).filter(({ write }) => calls(code, write));
        return [
          ...(files.includes(path) || !updates(code, machine)
            ? []
            : [`${path} writes the state of ${table}: only ${files.join(', ')} may.`]),
          ...([...files, insert].includes(path) || !inserts(code, machine)
            ? []
            : [`${path} inserts rows of ${table} with a state.`]),
          ...([...files, mover].includes(path)
            ? []
            : called.map(({ write }) => `${path} calls ${write}: only ${mover} may.`)),
          ...(files.includes(path) && namesState(code, machine)
            ? [`${path} names a state of ${table} in SQL: it comes from the machine's table of moves.`]
            : []),
        ];
      });
    });
}

/** Machines whose statements or mover are not where the list says. */
export function lostMachines(sources: readonly Source[]): string[] {
  const codeOf = (path: string) =>
    withoutComments(sources.find((source) => source.path === path)?.text ?? '');
  return MACHINES.flatMap((machine) =>
    writersOf(machine)
      .filter(({ write, statement }) => {
        const code = codeOf(statement);
        const isWriter =
          code.includes(`function ${write}(`) && (updates(code, machine) || inserts(code, machine));
        return !isWriter || !calls(codeOf(machine.mover), write);
      })
      .map(({ write }) => `${write} does not move ${machine.table}.${machine.columns[0]}.`),
  );
}

/** Whether an update of the table assigns one of the columns, or a list of columns that is put together at run time. */
function updates(code: string, { table, columns }: Machine): boolean {
  const assigned = new RegExp(`\\b(${columns.join('|')})\\s*=|\\$\\{`);
  return updatesOf(code, table).some((list) => assigned.test(list));
}

/** What the updates and upserts of a table assign. A text in quotes ends the list. */
function updatesOf(code: string, table: string): string[] {
  return UPDATES.flatMap((pattern) =>
    [...code.matchAll(pattern)].filter(([, name]) => name === table).map(([, , set]) => set!),
  );
}

/** Whether an update or upsert assigns a state that it names itself, so that no table of moves allows it. */
function namesState(code: string, { table, columns: [state] }: Machine): boolean {
  const named = new RegExp(`\\b${state}\\s*=\\s*(excluded\\.|$)`, 'i');
  return updatesOf(code, table).some((assigned) => named.test(assigned));
}

/** Whether an insert into the table names the column of the state, and so does not leave it to its default. */
function inserts(code: string, { table, columns }: Machine): boolean {
  const named = new RegExp(`\\b${columns[0]}\\b|\\$\\{`);
  return [...code.matchAll(INSERTS)].some(([, name, list]) => name === table && named.test(list!));
}

function calls(code: string, write: string): boolean {
  return new RegExp(`(?<!function )\\b${write}\\(`).test(code);
}

/** The tables of the ledger, and the files that may write them. */
const LEDGER_WRITERS: Readonly<Record<string, readonly string[]>> = {
  ledger_transfers: ['db/ledger/post-transfers.ts'],
  ledger_balances: ['db/ledger/post-transfers.ts', 'db/ledger/balances.ts'],
};

/** One sentence for each statement that writes the ledger in another file, or changes a transfer anywhere. */
export function ledgerWritesElsewhere(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => !/^(test|scripts)\//.test(path))
    .flatMap(({ path, text }) => {
      const written = [
        ...withoutComments(text).matchAll(/\b(insert\s+into|update|delete\s+from)\s+(ledger_\w+)/gi),
      ];
      return written
        .filter(([, verb, table]) => {
          const isChange = table === 'ledger_transfers' && !/^insert/i.test(verb!);
          return isChange || !LEDGER_WRITERS[table!]?.includes(path);
        })
        .map(([statement]) => `${path} must not ${statement!.replaceAll(/\s+/g, ' ')}.`);
    });
}
