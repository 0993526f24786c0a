/**
 * Lints the contract: Redocly with the house rules (`redocly.yaml`), then its examples against its schemas. Prints one
 * line per problem, `where rule: message`, and exits 1 if there is any.
 *
 * Usage: npm run lint:spec [-- --spec <folder>]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkExamples, type Problem } from './spec-rules/bundled-examples.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { spec: { type: 'string', default: join(root, 'spec') } } });
const spec = resolve(values.spec);
const entry = join(spec, 'openapi.yaml');

try {
  const problems = [...lint(), ...examples()];
  for (const { where, rule, message } of problems) console.log(`${where} ${rule}: ${message}`);
  console.log(problems.length === 0 ? 'The contract is clean.' : `Problems: ${problems.length}.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

interface RedoclyProblem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: { readonly source: { readonly ref: string }; readonly pointer?: string }[];
}

function lint(): Problem[] {
  const printed = redocly('lint', entry, '--format', 'json', '--max-problems', '1000');
  const found = JSON.parse(printed) as { problems: RedoclyProblem[] };
  return found.problems.map(({ ruleId, message, location: [at] }) => ({
    where: at ? `${relative(spec, resolve(root, at.source.ref))}${at.pointer ?? ''}` : 'openapi.yaml',
    rule: ruleId,
    message,
  }));
}

/** Problems of the examples; none when the document cannot be bundled, which the linter reports. */
function examples(): Problem[] {
  const folder = mkdtempSync(join(tmpdir(), 'centavo-spec-'));
  try {
    const bundled = join(folder, 'openapi.json');
    redocly('bundle', entry, '--output', bundled, '--force');
    if (!existsSync(bundled)) return [];
    return checkExamples(JSON.parse(readFileSync(bundled, 'utf8')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function redocly(command: string, ...args: string[]): string {
  const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [cli, command, ...args, '--config', join(root, 'redocly.yaml')],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (command === 'lint' && !stdout.startsWith('{'))
    throw new Error(`Redocly cannot read the contract. ${stderr.trim()}`);
  return stdout;
}
