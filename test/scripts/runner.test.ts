import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isGood, plainLine, readPlainLine, withoutSkips } from '../../scripts/test/counts.ts';
import { folderTimes } from '../../scripts/test/folders.ts';
import { ALONE, processesOf } from '../../scripts/test/groups.ts';
import { LONG_FILES, longestFirst } from '../../scripts/test/order.ts';
import { watchProgress } from '../../scripts/test/progress.ts';
import { runProgram } from './support/admin.ts';

const ROOT = join(import.meta.dirname, '../..');

const PLANTED: Readonly<Record<string, string>> = {
  good: "test('good', () => {});",
  bad: "test('bad', () => { throw new Error('planted'); });",
  badEnd:
    "import { after } from 'node:test'; test('good', () => {}); after(() => { throw new Error('planted'); });",
  skipped: "test('skipped', { skip: true }, () => {});",
  broken: "import './not-there.ts';",
  aFirst:
    "import { after } from 'node:test'; globalThis.open = true; test('opens', () => {}); after(() => { globalThis.open = false; });",
  bSecond: "test('is closed', () => { if (globalThis.open !== false) throw new Error('planted'); });",
  late: "test('ends', () => { setTimeout(() => { throw new Error('planted late'); }, 50); });",
  exits: "test('exits', () => process.exit(1));",
  open: "test('leaves a timer', () => { setInterval(() => {}, 1_000); });",
  // More than a pipe holds at once: who ends it without waiting for the reader loses some of it.
  manyOpen:
    "import { createServer } from 'node:net';\n\
    test('opens', async (t) => { for (let n = 0; n < 2_000; n += 1) await t.test(String(n), () => {}); createServer().listen(0); });",
};

/** A folder whose files share a process. */
const GROUPED = 'test/domain';

/** Runs the test runner on planted files in a folder; resolves to its exit status and last line. */
async function runPlanted(names: readonly string[], env: Readonly<Record<string, string>> = {}, inside = '') {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-planted-'));
  try {
    await mkdir(join(folder, inside), { recursive: true });
    for (const name of names) {
      const text = `import { test } from 'node:test';\n${PLANTED[name]}\n`;
      await writeFile(join(folder, inside, `${name}.test.ts`), text);
    }
    const { TEST_DATABASE_URL = '' } = process.env;
    const args = [join(ROOT, 'scripts/test.ts'), folder];
    const { status, stdout } = await runProgram(process.execPath, args, { TEST_DATABASE_URL, ...env });
    return { status, last: stdout.trimEnd().split('\n').at(-1), stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The line of each file, without its figures. */
function marksOf(stdout: string): string[] {
  const lines = stdout.matchAll(/^([✔✖]) \S*?(\w+)\.test\.ts {2}\d+ tests/gm);
  return Array.from(lines, ([, mark, name]) => `${mark} ${name}`).sort();
}

describe('the test runner', () => {
  test('exits with 0 if everything passed', async () => {
    const { status, last, stdout } = await runPlanted(['good']);
    assert.deepEqual({ status, last }, { status: 0, last: '1 passed, 0 failed' });
    assert.match(stdout, /^Time per folder:\n\S+ +\d+\.\d s {2}1 files, 1 tests$/m);
  });

  test('fails and ends a file that leaves something open, and says what', async () => {
    const { status, last, stdout } = await runPlanted(['good', 'open'], { TEST_GRACE_MS: '100' });
    assert.deepEqual({ status, last }, { status: 1, last: '2 passed, 1 failed' });
    assert.match(stdout, /open\.test\.ts left something open: .* still holds Timeout\.$/m);
    assert.match(stdout, /^✖ .*open\.test\.ts {2}1 tests/m);
    assert.match(stdout, /^✔ .*good\.test\.ts {2}1 tests/m);
  });

  test('counts every test of a file that it has to end', async () => {
    const { status, last } = await runPlanted(['manyOpen'], { TEST_GRACE_MS: '1' });
    assert.deepEqual({ status, last }, { status: 1, last: '2001 passed, 1 failed' });
  });

  test('counts and explains failed tests, files that cannot be loaded, and skipped tests', async () => {
    const { status, last, stdout } = await runPlanted(['good', 'bad', 'broken', 'skipped']);
    assert.deepEqual({ status, last }, { status: 1, last: '1 passed, 2 failed, 1 skipped' });
    assert.match(stdout, /Error: planted/);
    assert.match(stdout, /not-there\.ts/);
    assert.deepEqual(marksOf(stdout), ['✔ good', '✔ skipped', '✖ bad', '✖ broken']);
  });

  test('counts an error after the last test as failed, and marks its file', async () => {
    const { status, last, stdout } = await runPlanted(['badEnd']);
    assert.deepEqual({ status, last }, { status: 1, last: '1 passed, 1 failed' });
    assert.match(stdout, /^✖ .*badEnd\.test\.ts {2}1 tests/m);
    assert.doesNotMatch(stdout, /^✔/m);
  });

  test('says which error a test caused after its end', async () => {
    for (const inside of ['', GROUPED]) {
      const { status, stdout } = await runPlanted(['good', 'late'], {}, inside);
      assert.equal(status, 1);
      assert.match(stdout, /the test ended\. .*Error: planted late/);
    }
  });

  test('runs the files of a group in one process, one after another', async () => {
    const { status, last, stdout } = await runPlanted(['aFirst', 'bSecond'], {}, GROUPED);
    assert.deepEqual({ status, last }, { status: 0, last: '2 passed, 0 failed' }, stdout);
  });

  test('counts and marks the files of a group like single files', async () => {
    const names = ['good', 'bad', 'broken', 'skipped', 'badEnd'];
    const { status, last, stdout } = await runPlanted(names, {}, GROUPED);
    assert.deepEqual({ status, last }, { status: 1, last: '2 passed, 3 failed, 1 skipped' }, stdout);
    assert.deepEqual(marksOf(stdout), ['✔ good', '✔ skipped', '✖ bad', '✖ badEnd', '✖ broken']);
  });

  test('marks the files that the process of a group did not reach', async () => {
    const { status, last, stdout } = await runPlanted(['bad', 'exits', 'good'], {}, GROUPED);
    assert.deepEqual({ status, last }, { status: 1, last: '0 passed, 1 failed' }, stdout);
    assert.deepEqual(marksOf(stdout), ['✖ bad', '✖ exits', '✖ good']);
  });

  test('fails a group that leaves something open, and names its files', async () => {
    const { status, last, stdout } = await runPlanted(['good', 'open'], { TEST_GRACE_MS: '100' }, GROUPED);
    assert.deepEqual({ status, last }, { status: 1, last: '2 passed, 1 failed' });
    assert.match(stdout, /left something open: .* still holds Timeout\.$/m);
    assert.match(stdout, /^✖ the process of \S*good\.test\.ts, \S*open\.test\.ts failed$/m);
  });

  test('allows a skip, but not with CI=true', async () => {
    const desk = await runPlanted(['good', 'skipped']);
    assert.deepEqual([desk.status, desk.last], [0, '1 passed, 0 failed, 1 skipped']);
    const ci = await runPlanted(['good', 'skipped'], { CI: 'true' });
    assert.deepEqual([ci.status, ci.last], [1, '1 passed, 1 failed']);
  });

  test('fails if no file matches', async () => {
    const { status, stdout } = await runPlanted([]);
    assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  });
});

test('files of a folder share a process, up to a limit, except those that run alone', async () => {
  const many = Array.from({ length: 21 }, (_, index) => `test/jobs/${index}.test.ts`);
  const alone = 'test/jobs/alone.test.ts';
  const others = ['test/scripts/a.test.ts', 'test/scripts/b.test.ts', 'test/domain/a.test.ts'];
  const root = await mkdtemp(join(tmpdir(), 'centavo-planted-'));
  for (const file of [...others, ...many, alone]) {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), '');
  }
  using processes = processesOf(root, [...others, ...many, alone], [alone]);
  await rm(root, { recursive: true });
  const groups = processes.all.map(({ files }) => files);
  assert.deepEqual(groups, [[alone], many.slice(0, 20), ...others.map((file) => [file]), many.slice(20)]);
  for (const file of ALONE) assert.ok(existsSync(join(ROOT, file)), file);
});

test('the longest files start first, the others in their order', () => {
  const [longest, second] = LONG_FILES as [string, string];
  const files = ['test/a.test.ts', second, 'test/b.test.ts', longest];
  assert.deepEqual(longestFirst(files), [longest, second, 'test/a.test.ts', 'test/b.test.ts']);
  for (const file of LONG_FILES) assert.ok(existsSync(join(ROOT, file)), file);
});

describe('the last line', () => {
  test('is parsed, the last of several', () => {
    const counts = { passed: 12, failed: 1, skipped: 2 };
    assert.deepEqual(readPlainLine(`3 passed, 0 failed\nnoise\n${plainLine(counts)}\n`), counts);
    assert.equal(readPlainLine('12 passed'), null);
  });

  test('is a success only if tests ran and none failed', () => {
    assert.equal(isGood({ passed: 1, failed: 0, skipped: 1 }), true);
    assert.equal(isGood({ passed: 0, failed: 0, skipped: 0 }), false);
    assert.equal(isGood({ passed: 5, failed: 1, skipped: 0 }), false);
    assert.equal(isGood(withoutSkips({ passed: 1, failed: 0, skipped: 1 })), false);
  });
});

test('the time of each folder includes its subfolders, the slowest first', () => {
  const file = (path: string, tests: number, duration_ms: number) => ({
    path,
    tests,
    duration_ms,
    isGood: true,
  });
  const files = [
    file('test/config.test.ts', 2, 300),
    file('test/web/pages.test.ts', 3, 4_000),
    file('test/handlers/http/limits.test.ts', 4, 5_000),
    file('test/handlers/orders/create-order.test.ts', 5, 7_500),
  ];
  assert.deepEqual(folderTimes(files).trim().split('\n'), [
    'Time per folder:',
    'test/handlers     12.5 s  2 files, 9 tests',
    'test/web           4.0 s  1 files, 3 tests',
    'test               0.3 s  1 files, 2 tests',
  ]);
});

test('a run that hangs is reported with its current step', ({ mock }) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const reported: string[] = [];
  const progress = watchProgress(1_000, (step) => reported.push(step));
  progress.at('the first step');
  mock.timers.tick(999);
  progress.at('the second step');
  mock.timers.tick(999);
  assert.deepEqual(reported, []);
  mock.timers.tick(1);
  assert.deepEqual(reported, ['the second step']);
  progress.at('the last step');
  progress[Symbol.dispose]();
  mock.timers.tick(10_000);
  assert.deepEqual(reported, ['the second step']);
});

test('make and make help print every target with its description', async () => {
  const makefile = await readFile(join(ROOT, 'Makefile'), 'utf8');
  const targets = [...makefile.matchAll(/^([a-z-]+):.*## /gm)].map(([, target]) => target);
  const { stdout, status } = await runProgram('make', ['help'], {});
  assert.equal(status, 0);
  assert.deepEqual(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => /^ {2}make ([a-z-]+) +\S/.exec(line)?.[1]),
    targets,
  );
  const phony = /^\.PHONY: (.*)$/m.exec(makefile)![1]!.split(' ');
  // It stops in a release, and is no target for people.
  assert.deepEqual(
    phony.filter((target) => !targets.includes(target)),
    ['tools'],
  );
  assert.equal((await runProgram('make', [], {})).stdout, stdout);
});

test('a name that matches no test file is reported before anything runs', async () => {
  const named = ['test/domain/money.test.ts', 'test/nowhere', 'test/domain/mony.test.ts'];
  const result = await runProgram(process.execPath, ['scripts/test.ts', ...named], {});
  const stderr = 'No test file matches test/nowhere test/domain/mony.test.ts.\n';
  assert.deepEqual(result, { status: 1, stdout: '', stderr });
});
