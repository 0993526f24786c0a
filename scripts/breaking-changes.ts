/**
 * Reports breaking changes of the contract. It compares each state of generated/openapi.json with the one before, from
 * the commit that added spec/changes.yaml to the file in the working tree, committed or not. A breaking change must be
 * declared with its reason in spec/changes.yaml, which the docs publish. Exits 1 and prints the lines to add if a
 * breaking change is not declared. Exits 1 also if a declared change was not found. A shallow clone has fewer states:
 * the command says so, and compares those.
 *
 * Usage: npm run breaking [-- --root <folder of a clone>]
 *
 * What counts as breaking: scripts/breaking/change.ts. The command generates the document from spec/ first.
 *
 * This checker is frozen: it gets no new features, and changes only where it is wrong about this contract. No
 * maintained tool can replace it. test/contract/breaking/ has 61 breaking changes, each with a harmless variant.
 * oasdiff 1.35.0 misses 17 of the breaking ones: renamed operations, other tags, permissions and servers, parameters
 * written in another way, new successes, a removed refusal, defaults, conditions, closed objects, headers and bodies of
 * webhooks. It also reports 7 of the harmless ones, because it judges a webhook like a request. openapi-diff 0.24.1
 * does not read OpenAPI 3.1. Try both again before you add anything here.
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
  const { undeclared, reverted, unused } = judge(changes, declarations);
  for (const change of undeclared) console.log(lines(change));
  // A shallow clone does not have the change that an older declaration belongs to.
  const surplus = isCut ? [] : unused;
  for (const { kind, where } of surplus) console.log(`Declared, but not found: ${kind} at ${where}\n`);
  if (isCut) {
    console.error(
      `NOT COMPARED: the contract before ${baseline}. This clone is shallow; git fetch --unshallow completes it.`,
    );
  }
  console.log(
    `${steps} steps of the contract since ${baseline ?? 'the beginning: no commit has spec/changes.yaml'}.`,
  );
  const count = changes.length - undeclared.length - reverted.length;
  console.log(`${count} breaking changes declared, ${undeclared.length} not.`);
  if (reverted.length > 0) console.log(`Reverted since, and need no declaration: ${reverted.length}.`);
  if (undeclared.length > 0 || surplus.length > 0) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

function lines({ kind, where, what, step }: DatedChange): string {
  return [
    `BREAKING ${where}: ${what}`,
    `  ${KINDS[kind]} (${step}). If it is intended, declare it in spec/changes.yaml under changes:`,
    `  - date: '${new Date().toISOString().slice(0, 10)}'`,
    `    kind: ${kind}`,
    `    where: ${JSON.stringify(where)}`,
    '    change: <what callers must do>',
    '    reason: <why>',
    '',
  ].join('\n');
}
