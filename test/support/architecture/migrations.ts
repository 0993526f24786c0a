import { splitStatements } from '../../../db/engine/split-statements.ts';

const ADDS_CONSTRAINT = /^add (constraint|unique|check|primary key|foreign key|exclude)\b/;
const HAS_CONSTRAINT = /\b(references|unique|check|primary key)\b/;
const CREATES_TABLE = /^create (?:unlogged )?table (?:if not exists )?(\w+)/;
const ALTERS_TABLE = /^alter table (?:if exists )?(?:only )?(\w+)/;
const REFERENCES = /\breferences (\w+)/g;
const INSERTS = /^(?:with .*)?\binsert into (\w+)/;
const UPDATES = /^(?:with .*)?\bupdate \w+/;
/**
 * STABLE functions of Postgres, and times plus an interval: their result depends on settings of the session, such as
 * its time zone. A time that was converted with `at time zone` does not depend on it.
 */
const DEPENDS_ON_SESSION =
  /\b(?:to_char|to_json|to_jsonb|jsonb?_build_\w+|row_to_json|array_to_json|array_to_string|concat|concat_ws|format) ?\(|(?<!at time zone )[+-] interval\b/;
const CONTROLS_TRANSACTION = /^(begin|start transaction|commit|end|rollback|abort|savepoint)\b/;

/**
 * One sentence for each statement of a migration that a distributed database refuses, or that `migrate` does not send
 * as it is written: it sends one statement at a time, all of a file in one transaction.
 */
export function migrationFaults(name: string, script: string): string[] {
  const statements = splitStatements(script).map(plain);
  const faults = [...statements.flatMap(statementFaults), ...newTableFaults(statements)];
  if (/\be'/i.test(script))
    faults.push("uses a text with escapes (e'…'), which can hide where a statement ends");
  return faults.map((fault) => `${name} ${fault}.`);
}

function statementFaults(statement: string): string[] {
  if (CONTROLS_TRANSACTION.test(statement)) return [`controls its transaction: ${statement}`];
  if (UPDATES.test(statement) && DEPENDS_ON_SESSION.test(statement))
    return [`updates with a function that is not immutable: ${statement}`];
  const alter = /^alter table (?:if exists )?(?:only )?\S+ (?<actions>.*)$/.exec(statement);
  if (alter === null) return [];
  const actions = splitActions(alter.groups!.actions!);
  const constraint = actions.find((action) => ADDS_CONSTRAINT.test(action));
  const column = actions.find(
    (action) => /^add\b/.test(action) && !ADDS_CONSTRAINT.test(action) && HAS_CONSTRAINT.test(action),
  );
  return [
    ...(constraint !== undefined && actions.length > 1
      ? [`adds a constraint together with something else: ${statement}`]
      : []),
    ...(column === undefined ? [] : [`adds a column that brings its constraint: ${column}`]),
  ];
}

/**
 * On a distributed database `migrate` distributes the tables of a file after the file. Until then an older table, which
 * is distributed already, cannot refer to them, and no row can be written to them.
 */
function newTableFaults(statements: readonly string[]): string[] {
  const created = new Set(statements.flatMap((statement) => CREATES_TABLE.exec(statement)?.slice(1) ?? []));
  return statements.flatMap((statement) => {
    const [, inserted] = INSERTS.exec(statement) ?? [];
    if (inserted !== undefined && created.has(inserted))
      return [`fills the table ${inserted} in the file that creates it`];
    const [, altered] = ALTERS_TABLE.exec(statement) ?? [];
    if (altered === undefined || created.has(altered)) return [];
    return [...statement.matchAll(REFERENCES)]
      .filter(([, parent]) => created.has(parent!))
      .map(([, parent]) => `makes ${altered} refer to ${parent} in the file that creates ${parent}`);
  });
}

/** In lower case, with single spaces, without comments and texts. */
function plain(statement: string): string {
  return statement
    .replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Splits at commas outside parentheses. */
function splitActions(actions: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of actions) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(parts.pop() + character);
  }
  return parts.map((part) => part.trim());
}
