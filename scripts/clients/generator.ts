import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, TOOLS } from './places.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** For a download, or the generation of a client on a busy machine. */
const TIMEOUT_MS = 10 * 60_000;
const WRAPPER = createRequire(import.meta.url).resolve('@openapitools/openapi-generator-cli/main.js');

/** The version of the generator and the path of its program, from openapitools.json. */
async function pinned(): Promise<{ version: string; jar: string }> {
  const text = await readFile(join(ROOT, 'openapitools.json'), 'utf8');
  const { version, storageDir } = JSON.parse(text)['generator-cli'];
  return { version, jar: join(ROOT, storageDir, `${version}.jar`) };
}

/**
 * Downloads the pinned generator with its wrapper, or with Maven when that fails. Returns its version. Throws a
 * sentence for people when neither works.
 */
export async function fetchGenerator(): Promise<string> {
  const fault = await faultOf('java', ['-version']);
  if (fault !== null) throw new Error(`Java 11 or newer is needed, and java ${fault}.`);
  const { version, jar } = await pinned();
  if (existsSync(jar)) return version;
  await runWrapper(['version']).catch(() => {});
  if (!existsSync(jar)) await fetchThroughMaven(version, jar);
  return version;
}

async function fetchThroughMaven(version: string, jar: string): Promise<void> {
  const artifact = `org.openapitools:openapi-generator-cli:${version}`;
  const folder = join(TOOLS, 'generator-download');
  const args = ['-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
  try {
    await run('mvn', args, { timeout: TIMEOUT_MS });
  } catch {
    throw new Error(`${artifact} could not be downloaded, neither by its wrapper nor by Maven.`);
  }
  await mkdir(join(jar, '..'), { recursive: true });
  await copyFile(join(folder, `openapi-generator-cli-${version}.jar`), jar);
}

/** Runs openapi-generator-cli and returns its output. Throws with the output when it fails. */
export async function runWrapper(args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(process.execPath, [WRAPPER, ...args], {
      cwd: ROOT,
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: TIMEOUT_MS,
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`openapi-generator-cli failed.\n${stdout}${stderr || message}`);
  }
}

/** Throws when the generator wrote two classes to one file, so that the first is lost. */
export function refuseLoss(output: string): void {
  const lost = output.split('\n').filter((line) => /duplicate file path/i.test(line));
  if (lost.length > 0) throw new Error(`The client lacks a class.\n${lost.join('\n')}`);
}

/** Runs a program to see whether it works. Returns null, or what is wrong, as the rest of a sentence after its name. */
export async function faultOf(command: string, args: readonly string[]): Promise<string | null> {
  try {
    await run(command, [...args]);
    return null;
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error as ExecFileException;
    if (code === 'ENOENT') return 'is missing';
    // Python prints the reason after a traceback.
    const reason = `${stderr}\n${stdout}`.split('\n').find((line) => /^(?!Traceback )\S/.test(line));
    return `does not run (${reason?.trim() ?? `it ends with ${code ?? signal}`})`;
  }
}
