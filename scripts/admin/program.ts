import { Command, type CommandUnknownOpts, Help } from '@commander-js/extra-typings';
import type { CommanderError } from 'commander';
import { CALL, type Run } from './command.ts';
import { addDatabaseCommands } from './database.ts';
import { addDiscrepancyCommands } from './discrepancy.ts';
import { addKeyCommands } from './key.ts';
import { addListenCommand, type ListenOptions } from './listen.ts';
import { addMerchantCommands } from './merchant.ts';
import type { Operator } from './operator.ts';
import { addReconcileCommand } from './reconcile.ts';
import { addVaultCommands } from './vault.ts';

export interface AdminIo {
  /** Called once per command that uses the database, after its arguments were checked. */
  open(): Promise<Operator>;
  /** Forwards events until the process receives a signal to stop. */
  listen(options: ListenOptions): Promise<void>;
  /** Takes the output of a command, which does not end with a line break. */
  print(text: string): void;
}

/**
 * All commands. `parseAsync` rejects with `UsageError` or `CommanderError` when an argument is wrong, and with the
 * command's own error when it fails. A `CommanderError` with exit code 0 means that help was printed.
 */
export function adminProgram({ open, listen, print }: AdminIo) {
  const program = new Command(CALL)
    .description('Administers the database of DATABASE_URL or DATA_DIR, also while the service runs.')
    .option('--json', 'Print one JSON document.')
    .helpOption('-h, --help', 'Show this help.')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nAn option with several values can be repeated, or takes the values separated by commas.\n' +
        `To see the options and examples of a command: ${CALL} merchant create --help`,
    )
    .configureHelp({ showGlobalOptions: true, formatHelp })
    // Errors are thrown. The caller prints them as one sentence.
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  const run: Run = async (work) => {
    await using operator = await open();
    const { json, text, failure } = await work(operator);
    print(program.opts().json ? JSON.stringify(json, null, 2) : text);
    if (failure !== undefined) throw new Error(failure);
  };
  addMerchantCommands(program.command('merchant'), run);
  addKeyCommands(program.command('key'), run);
  addDiscrepancyCommands(program.command('discrepancy'), run);
  addReconcileCommand(program.command('reconcile'), run);
  addDatabaseCommands(program.command('database'), run);
  addVaultCommands(program.command('vault'), run);
  addListenCommand(program, (options) => listen({ ...options, isJson: program.opts().json === true }));
  return program;
}

/** Lists the commands of a group in place of the group. */
function formatHelp(command: CommandUnknownOpts, help: Help): string {
  return new Help().formatHelp(
    command,
    Object.assign(help, { visibleCommands: leafCommands, subcommandTerm }),
  );
}

function leafCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leafCommands(child) : [child]));
}

function subcommandTerm(command: CommandUnknownOpts): string {
  const args = command.registeredArguments.map((argument) => `<${argument.name()}>`);
  const { parent } = command;
  const group = parent?.parent ? [parent.name()] : [];
  return [...group, command.name(), ...args].join(' ');
}

/** One sentence for people: `Unknown option '--colour'.` */
export function usageSentence({ code, message }: CommanderError): string {
  const whereToLook = `${CALL} --help lists all commands.`;
  if (code === 'commander.help') return `A command is needed. ${whereToLook}`;
  const text = message.replace(/^error: /, '').replaceAll('\n', ' ');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
  return code === 'commander.unknownCommand' ? `${sentence} ${whereToLook}` : sentence;
}
