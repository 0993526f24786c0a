import { splitStatements } from '../../../db/engine/split-statements.ts';

const ADDS_CONSTRAINT = /^add (constraint|unique|check|primary key|foreign key|exclude)\b/;
const HAS_CONSTRAINT = /\b(references|unique|check|primary key)\b/;
const CONTROLS_TRANSACTION = /^(begin|start transaction|commit|end|rollback|abort|savepoint)\b/;

/**
 * One sentence for each statement of a migration that a distributed database refuses, or that `migrate` does not send as
 * it is written: it sends one statement at a time, all of a file in one transaction.
 */
export function migrationFaults(name: string, script: string): string[] {
  const faults = splitStatements(script).flatMap((statement) => statementFaults(plain(statement)));
  if (/\be'/i.test(script))
    faults.push("uses a text with escapes (e'…'), which can hide where a statement ends");
  return faults.map((fault) => `${name} ${fault}.`);
}

function statementFaults(statement: string): string[] {
  if (CONTROLS_TRANSACTION.test(statement)) return [`controls its transaction: ${statement}`];
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
