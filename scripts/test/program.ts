import { spawn } from 'node:child_process';

export interface ProgramEnd {
  readonly isGood: boolean;
  /** What it wrote to stdout, which was passed on as well. */
  readonly output: string;
}

/** Runs one of the project's programs (node_modules/.bin leads PATH); an abort ends it, and its children with it. */
export async function runProgram(
  command: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<ProgramEnd> {
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
  return { isGood: code === 0, output };
}
