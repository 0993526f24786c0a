import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
const STAND_IN = `'${process.execPath}' '${join(ROOT, 'test/support/processes/curl.ts')}' "$@"`;
/** Used only if the machine has no curl, because Node takes fifteen times as long to start. */
const OWN_CURL = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();
const CURL =
  OWN_CURL === '' ? STAND_IN : `'${OWN_CURL}' -w '%{stderr}{"status":%{http_code}}\\n' "$@" 2>> "$CURL_LOG"`;

/** A fenced block of a guide that is run, and the answer that the guide shows after it. */
export interface Sample {
  readonly language: 'sh' | 'js';
  readonly text: string;
  readonly line: number;
  /** The expected status of the last answer, such as `status=422` on the fence. Null: any 2xx. */
  readonly status: number | null;
  /** The JSON of the fence that follows, which the output must contain. */
  readonly shown: unknown;
}

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  /** The statuses of the requests made by curl, in order. */
  readonly statuses: readonly number[];
}

const FENCE = /^```(\w+)(?: status=(\d+))?\n(.*?)^```$/gms;

/** The samples of a guide in order, sh and js. */
export function samplesOf(markdown: string): Sample[] {
  const fences = [...markdown.matchAll(FENCE)];
  return fences.flatMap((fence, i) => {
    const [whole, language, status, text] = fence;
    if (language !== 'sh' && language !== 'js') return [];
    const next = fences[i + 1];
    const between = markdown.slice(fence.index + whole.length, next?.index);
    const isFollowed = next?.[1] === 'json' && between.trim() === '';
    return [
      {
        language,
        text: text!,
        line: markdown.slice(0, fence.index).split('\n').length,
        status: status === undefined ? null : Number(status),
        shown: isFollowed ? JSON.parse(next[3]!) : undefined,
      },
    ];
  });
}

/**
 * Runs the samples of one guide in one shell, in order, so that later samples can use the variables of earlier ones.
 * Their `curl` records the status of each answer.
 */
export async function runSamples(
  samples: readonly Sample[],
  env: Readonly<Record<string, string>>,
): Promise<Ran[]> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-guide-'));
  try {
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'curl'), `#!/bin/sh\nexec ${CURL}\n`);
    await chmod(join(folder, 'curl'), 0o755);
    const PATH = [folder, dirname(process.execPath), process.env.PATH].join(':');
    await shell(samples.map(step).join('\n'), folder, { PATH, HOME: folder, ...env });
    return await Promise.all(samples.map((_sample, i) => ranIn(folder, i)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function step({ language, text }: Sample, i: number): string {
  const run = language === 'sh' ? text : `node --input-type=module <<'END_OF_SAMPLE'\n${text}END_OF_SAMPLE\n`;
  return `export CURL_LOG=${i}.calls\n{\n${run}} > ${i}.out 2> ${i}.err\n`;
}

/** The samples after a failing one run too. The output of each is checked afterwards. */
function shell(script: string, cwd: string, env: Record<string, string>): Promise<void> {
  const child = spawn('bash', ['-s'], { cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(script);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
}

async function ranIn(folder: string, i: number): Promise<Ran> {
  const read = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '');
  const [stdout, stderr, calls] = await Promise.all([read(`${i}.out`), read(`${i}.err`), read(`${i}.calls`)]);
  const statuses = calls.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).status]));
  return { stdout, stderr, statuses };
}

/**
 * One sentence for each difference: a missing member, another value, a list of another length. In `shown`, "…" means
 * any text that is not empty. `actual` may have members that `shown` does not have.
 */
export function differences(shown: unknown, actual: unknown, path = ''): string[] {
  if (shown === '…') return typeof actual === 'string' && actual !== '' ? [] : [`${path} is no text`];
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual) || actual.length !== shown.length)
      return [`${path} is not a list of ${shown.length}`];
    return shown.flatMap((item, i) => differences(item, actual[i], `${path}.${i}`));
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof actual !== 'object' || actual === null) return [`${path} is no object`];
    const members = Object.entries(shown);
    return members.flatMap(([name, value]) =>
      differences(value, (actual as Record<string, unknown>)[name], `${path}.${name}`),
    );
  }
  return shown === actual ? [] : [`${path} is ${JSON.stringify(actual)}, shown is ${JSON.stringify(shown)}`];
}
