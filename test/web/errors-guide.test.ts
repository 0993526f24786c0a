import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { documentedAnswers } from '../contract/dredd/documented-answers.ts';
import { documentedExamples } from '../contract/examples/documented-examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'web/guides/20-errors.md'), 'utf8');
const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8'));

/** What is answered where there is no operation that could document it. */
const OUTSIDE_OPERATIONS: readonly (readonly [string, string])[] = [
  ['not_found', '404'],
  ['method_not_allowed', '405'],
  ['internal_error', '500'],
  ['bad_request', '400'],
  ['misdirected_request', '421'],
  ...unreadableStatuses().map((status) => ['unreadable_request', status] as const),
];

/** With what bytes are answered that are no request, or a part of one. */
function unreadableStatuses(): string[] {
  const source = readFileSync(join(ROOT, 'handlers/http/unreadable.ts'), 'utf8');
  const statuses = new Set(source.match(/\b4\d\d\b/g));
  assert.ok(statuses.size >= 5, 'the statuses are found');
  return [...statuses];
}

/** Refusals whose answer is `{message}`, without a code. */
const WITHOUT_CODE = new Set([
  'invalid_identifier',
  'country_not_found',
  'wallet_session_failed',
  'wallet_certificate_missing',
]);

/** The rows of the chapter "Codes": each code with its statuses. */
function tableOfCodes(): Map<string, string> {
  const [, chapter = ''] = /^## Codes$(.*?)^## /ms.exec(guide) ?? [];
  return new Map(
    [...chapter.matchAll(/^\| `(\w+)` \| ([\d, ]+) \|/gm)].map(([, code, status]) => [code!, status!]),
  );
}

test('the guide about errors lists every code that the service can return', () => {
  const sources = globSync(['handlers/**/*.ts'], { cwd: ROOT });
  const codes = new Set(
    sources
      .flatMap((file) => [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:\bcode: |: \[\d{3}, )'([a-z_]+)'/g),
      ])
      .map(([, code]) => code!),
  );
  assert.ok(codes.size >= 20, `only ${codes.size} codes were found`);
  assert.deepEqual(
    [...codes].filter((code) => !guide.includes(`\`${code}\``) && !WITHOUT_CODE.has(code)),
    [],
  );
});

test('it says what to do for every status that the service can return', () => {
  const [, chapter = ''] = /^## What to do, by status$(.*?)^## /ms.exec(guide) ?? [];
  const listed = [...chapter.matchAll(/^\| (\d+) /gm)].map(([, status]) => status!);
  const documented = [...documentedAnswers(document).values()].map(({ status }) => status);
  const all = new Set([...documented, ...OUTSIDE_OPERATIONS.map(([, status]) => status)]);
  assert.deepEqual(listed, [...all].filter((status) => status >= '400').sort());
});

test('it lists each code with its actual statuses, and no other code', () => {
  const statuses = new Map<string, Set<string>>();
  const note = (code: string, status: string) =>
    statuses.set(code, (statuses.get(code) ?? new Set()).add(status));
  for (const { places, value } of documentedExamples(document, documentedAnswers(document).values()))
    if (typeof value.error?.code === 'string') note(value.error.code, places.at(-1)!);
  for (const [code, status] of OUTSIDE_OPERATIONS) note(code, status);
  const expected = [...statuses].map(([code, of]) => [code, [...of].sort().join(', ')]);
  assert.deepEqual(Object.fromEntries(tableOfCodes()), Object.fromEntries(expected));
});
