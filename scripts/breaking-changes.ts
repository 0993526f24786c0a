/**
 * Tells whether the contract breaks its callers: compares each state of generated/openapi.json with the one before,
 * from the commit that brought spec/changes.yaml to the file as it lies here, committed or not. What breaks must be
 * declared, with its reason, in spec/changes.yaml, which the docs publish. Exits 1 on a breaking change that is not,
 * with the lines to declare it by, and on a declaration of what never happened. A shallow clone knows fewer states: it
 * says so, and compares those.
 *
 * Usage: npm run breaking [-- --root <folder of a clone>]
 *
 * What counts as breaking: scripts/breaking/change.ts. The command generates the document from spec/ first.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { KINDS } from './breaking/change.ts';
import { declaredSince, judge, readDeclarations } from './breaking/declarations.ts';
import { contractHistory, type DatedChange } from './breaking/history.ts';

const { values } = parseArgs({
  options: { root: { type: 'string', default: resolve(import.meta.dirname, '..') } },
});

try {
  const { changes, steps, baseline, declared, declaredBefore, isCut } = contractHistory(resolve(values.root));
  const declarations = declaredSince(readDeclarations(declared), readDeclarations(declaredBefore));
  const { undeclared, takenBack, idle } = judge(changes, declarations);
  for (const change of undeclared) console.log(lines(change));
  // Without the older history nobody knows what happened.
  const surplus = isCut ? [] : idle;
  for (const { kind, where } of surplus)
    console.log(`Declared, but it never happened: ${kind} at ${where}\n`);
  if (isCut) {
    console.error(
      `NOT COMPARED: what came before ${baseline}. This clone is shallow; git fetch --unshallow makes it whole.`,
    );
  }
  console.log(
    `${steps} steps of the contract since ${baseline ?? 'nothing: no commit has spec/changes.yaml'}.`,
  );
  const count = changes.length - undeclared.length - takenBack.length;
  console.log(`${count} breaking changes declared, ${undeclared.length} not.`);
  if (takenBack.length > 0)
    console.log(`Taken back since, so that nothing is to be declared: ${takenBack.length}.`);
  if (undeclared.length > 0 || surplus.length > 0) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function lines({ kind, where, what, step }: DatedChange): string {
  return [
    `BREAKING ${where}: ${what}`,
    `  ${KINDS[kind]} (${step}). If it is meant, declare it in spec/changes.yaml under changes:`,
    `  - date: '${new Date().toISOString().slice(0, 10)}'`,
    `    kind: ${kind}`,
    `    where: ${JSON.stringify(where)}`,
    '    change: <what a caller has to do>',
    '    reason: <why>',
    '',
  ].join('\n');
}
