import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { projectSources } from './support/architecture/sources.ts';
import { unusedExports } from './support/architecture/unused-exports.ts';

const planted = (path: string, text: string) => [{ path, text }];

describe('exported values', () => {
  test('are imported by another file, those of the product by another one of the product', () => {
    assert.deepEqual(unusedExports(projectSources(/\.[jt]s$/)), []);
  });

  const A = 'export const a = 1;\nexport function b() {}\nexport interface C {}';
  const importing = (text: string) =>
    unusedExports([...planted('db/a.ts', A), ...planted('jobs/b.ts', text)]);

  for (const [text, unused] of [
    ["import { a } from '../db/a.ts';", ['b']],
    ["import { type C, a as b } from '../db/a.ts';", ['b']],
    ["import '../db/a.ts';", ['a', 'b']],
    ["import { a, b } from '../services/a.ts';", ['a', 'b']],
    ["import * as a from '../db/a.ts';", []],
    ["const { a } = await import('../db/a.ts');", []],
  ] as const) {
    test(`that ${text} leaves unused are reported`, () => {
      assert.deepEqual(
        importing(text),
        unused.map((name) => `db/a.ts ${name} is exported, but no file imports it.`),
      );
    });
  }

  for (const text of ["import { a, b } from '../../db/a.ts';", "import * as a from '../../db/a.ts';"]) {
    test(`that only tests import are reported: ${text}`, () => {
      const test = planted('test/db/a.test.ts', text);
      const reported = ['a', 'b'].map((name) => `db/a.ts ${name} is exported, but only tests import it.`);
      assert.deepEqual(unusedExports([...planted('db/a.ts', A), ...test]), reported);
      const jobs = planted('jobs/b.ts', "import { a, b } from '../db/a.ts';");
      assert.deepEqual(unusedExports([...planted('db/a.ts', A), ...test, ...jobs]), []);
    });
  }

  test('of a test may be imported by tests only', () => {
    const test = planted('test/db/b.test.ts', "import { a, b } from '../support/a.ts';");
    assert.deepEqual(unusedExports([...planted('test/support/a.ts', A), ...test]), []);
  });

  test('that are exported again count as imported, and their new name as exported', () => {
    assert.deepEqual(importing("export { a, b as c } from '../db/a.ts';"), [
      'jobs/b.ts a is exported, but no file imports it.',
      'jobs/b.ts c is exported, but no file imports it.',
    ]);
  });
});
