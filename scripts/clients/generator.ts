import { type ExecFileException, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, TOOLS } from './places.ts';

const run = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const DOWNLOAD_TIMEOUT_MS = 120_000;
const WRAPPER = createRequire(import.meta.url).resolve('@openapitools/openapi-generator-cli/main.js');

/** Version of the generator and where its program is kept, both from openapitools.json. */
async function pinned(): Promise<{ version: string; jar: string }> {
  const text = await readFile(join(ROOT, 'openapitools.json'), 'utf8');
  const { version, storageDir } = JSON.parse(text)['generator-cli'];
  return { version, jar: join(ROOT, storageDir, `${version}.jar`) };
}

/**
 * Brings the pinned generator here: by its wrapper, or through Maven where the wrapper's own download fails. Its
 * version; throws a sentence for the reader where it cannot be had.
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
    await run('mvn', args, { timeout: DOWNLOAD_TIMEOUT_MS });
  } catch {
    throw new Error(`${artifact} could be fetched neither by its wrapper nor through Maven.`);
  }
  await mkdir(join(jar, '..'), { recursive: true });
  await copyFile(join(folder, `openapi-generator-cli-${version}.jar`), jar);
}

/** Runs openapi-generator-cli with these words; what it wrote. Throws with all of it when it fails. */
export async function runWrapper(args: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(process.execPath, [WRAPPER, ...args], {
      cwd: ROOT,
      maxBuffer: MAX_OUTPUT_BYTES,
      timeout: DOWNLOAD_TIMEOUT_MS,
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`openapi-generator-cli failed.\n${stdout}${stderr || message}`);
  }
}

/** Null where a program is on this machine and ends well; else why not, to follow its name in a sentence. */
export async function faultOf(command: string, args: readonly string[]): Promise<string | null> {
  try {
    await run(command, [...args]);
    return null;
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error as ExecFileException;
    if (code === 'ENOENT') return 'is missing';
    // Python tells the reason after what led to it.
    const said = `${stderr}\n${stdout}`.split('\n').find((line) => /^(?!Traceback )\S/.test(line));
    return `does not run (${said?.trim() ?? `it ends with ${code ?? signal}`})`;
  }
}
