import { execFileSync, spawnSync } from 'node:child_process';

/** A program that tests need and npm does not install. */
export interface Program {
  readonly command: string;
  /** With these arguments it exits with 0 when it is installed. */
  readonly asks: readonly string[];
  /** The package of Debian that has it. */
  readonly aptPackage: string;
}

/** Test files run at the same time, and only one of them may install. */
const LOCK = '/tmp/centavo-apt.lock';

/**
 * The `skip` option of a test that needs a program, or one of several, the preferred one first: false if it is
 * installed, else the reason, which starts with `missing`. Root on Debian installs it. A run with CI=true counts the
 * skip as a failure.
 */
export function missingProgram(needed: Program | readonly Program[], missing: string): string | false {
  const programs = [needed].flat();
  const canInstall = process.getuid?.() === 0 && runs({ command: 'apt-get', asks: ['--version'] });
  for (const program of programs) {
    if (runs(program)) return false;
    if (!canInstall) continue;
    process.stderr.write(`${program.command} is missing: installing it with apt-get.\n`);
    install(program);
    if (runs(program)) return false;
  }
  const { command, aptPackage } = programs.at(-1)!;
  const reason = `${missing}: ${command} is missing (apt-get install ${aptPackage}).`;
  process.stderr.write(`${reason}\n`);
  return reason;
}

function runs({ command, asks }: Omit<Program, 'aptPackage'>): boolean {
  return spawnSync(command, asks, { stdio: 'ignore' }).status === 0;
}

function install({ command, asks, aptPackage }: Program): void {
  const isThere = `${command} ${asks.join(' ')} > /dev/null 2>&1`;
  const script = `${isThere} || { apt-get update && apt-get install -y --no-install-recommends ${aptPackage}; }`;
  try {
    execFileSync('flock', [LOCK, 'sh', '-c', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    // The caller reports the missing program.
  }
}
