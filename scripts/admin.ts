/**
 * Onboarding and administration from the command line (contract rows 12.3 and 12.4).
 *
 * Usage: npm run -s admin -- --help
 */
import { CommanderError } from 'commander';
import { openOperator } from './admin/operator.ts';
import { adminProgram, usageSentence } from './admin/program.ts';
import { sentenceOf } from './admin/sentence.ts';

// Closing the pipe early, as head does, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const program = adminProgram({
  open: () => openOperator(process.env),
  print: (text) => process.stdout.write(`${text}\n`),
});

try {
  await program.parseAsync();
} catch (error) {
  const isHelp = error instanceof CommanderError && error.exitCode === 0;
  if (!isHelp) {
    process.stderr.write(`${error instanceof CommanderError ? usageSentence(error) : sentenceOf(error)}\n`);
    process.exitCode = 1;
  }
}
