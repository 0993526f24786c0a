/**
 * Onboarding and administration from the command line (contract rows 12.3 and 12.4).
 *
 * Usage: npm run -s admin -- --help
 */
import { CommanderError } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { listen } from './admin/listen.ts';
import { openOperator } from './admin/operator.ts';
import { adminProgram, usageSentence } from './admin/program.ts';
import { sentenceOf } from './admin/sentence.ts';

// Closing the pipe early, as head does, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const print = (text: string) => process.stdout.write(`${text}\n`);
const report = (sentence: string) => process.stderr.write(`${sentence}\n`);

const program = adminProgram({
  open: () => openOperator(process.env),
  listen: (options) =>
    listen(options, { print, report, signal: stopSignal(), api: originOf(readConfig(process.env)) }),
  print,
});

/** A signal that Ctrl-C and SIGTERM abort. Both end the process at once when they are repeated. */
function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** The address of the configured service on this machine. */
function originOf({ host, port }: Config): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

try {
  await program.parseAsync();
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (!isHelp) {
    report(error instanceof CommanderError ? usageSentence(error) : sentenceOf(error));
    process.exitCode = 1;
  }
}
