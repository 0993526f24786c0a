import { spawn } from 'node:child_process';

export interface ProgramEnd {
  readonly isGood: boolean;
  /** What it wrote to stdout, which was also printed. */
  readonly output: string;
  /** `12.3 s` */
  readonly took: string;
}

/** Runs a program of the project; node_modules/.bin comes first in PATH. An abort ends it and its children. */
export async function runProgram(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<ProgramEnd> {
  const begun = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], signal });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => (signal.aborted ? resolve(null) : reject(error)));
    child.once('close', resolve);
  });
  return { isGood: code === 0, output, took: `${((performance.now() - begun) / 1_000).toFixed(1)} s` };
}
