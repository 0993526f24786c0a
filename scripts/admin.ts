/**
 * Assisted onboarding and administration from the command line (contract rows 12.3 and 12.4).
 *
 * Usage: npm run -s admin -- --help
 */
import type { Command } from './admin/command.ts';
import { COMMANDS } from './admin/commands.ts';
import { helpOf, helpOfAll } from './admin/help.ts';
import { openOperator } from './admin/operator.ts';
import { sentenceOf } from './admin/sentence.ts';
import { UsageError } from './admin/values.ts';

/** Runs one command line and resolves to what belongs on stdout. */
async function run(args: readonly string[]): Promise<string> {
  const isGlobal = (arg: string) => arg === '--json' || arg === '--help' || arg === '-h';
  const wantsHelp = args.includes('--help') || args.includes('-h');
  const own = args.filter((arg) => !isGlobal(arg));
  const command = COMMANDS.find(({ name }) => name === own.slice(0, 2).join(' '));
  if (command === undefined) {
    if (wantsHelp) return helpOfAll(commandsLike(own[0]));
    throw unknownCommand(own);
  }
  if (wantsHelp) return helpOf(command);
  const work = command.prepare(own.slice(2));
  await using operator = await openOperator(process.env);
  const { json, text } = await work(operator);
  return args.includes('--json') ? JSON.stringify(json, null, 2) : text;
}

/** The commands of a group, or all where there is no such group. */
function commandsLike(group: string | undefined): readonly Command[] {
  const found = COMMANDS.filter(({ name }) => name.startsWith(`${group} `));
  return found.length > 0 ? found : COMMANDS;
}

function unknownCommand(args: readonly string[]): UsageError {
  const words = args.slice(0, 2).join(' ');
  const what = words === '' ? 'A command is needed' : `There is no command ${words}`;
  const known = commandsLike(args[0]).map(({ name }) => name);
  return new UsageError(`${what}; there are ${known.join(', ')}.`);
}

// A reader that has seen enough, such as head, is no mistake of anybody's.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`);
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
