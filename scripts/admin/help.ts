import type { Command } from './command.ts';

const CALL = 'npm run -s admin --';

/** All commands, one line each. */
export function helpOfAll(commands: readonly Command[]): string {
  return [
    `${CALL} COMMAND [--json]`,
    '',
    'Administration of the database of DATABASE_URL or DATA_DIR, also while the service runs.',
    '',
    ...columns(commands.map((command) => [invocation(command), command.summary])),
    '',
    '--json prints one JSON document. A flag with several values is repeated or takes them separated by commas.',
    'COMMAND --help shows its flags.',
  ].join('\n');
}

/** One command with its flags. */
export function helpOf(command: Command): string {
  const usages = Object.entries(command.flags).map(([name, flag]) => {
    const usage = `--${name}${flag.hint && ` ${flag.hint}`}${flag.mayRepeat ? ' …' : ''}`;
    return flag.isRequired ? usage : `[${usage}]`;
  });
  return [`${CALL} ${[invocation(command), ...usages, '[--json]'].join(' ')}`, '', command.summary].join(
    '\n',
  );
}

function invocation({ name, argument }: Command): string {
  return argument === null ? name : `${name} ${argument}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
