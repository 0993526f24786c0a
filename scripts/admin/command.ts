import { parseArgs } from 'node:util';
import type { Flag } from './flags.ts';
import type { Operator } from './operator.ts';
import { readId, UsageError } from './values.ts';

type Flags = Readonly<Record<string, Flag<unknown>>>;
type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends Flag<infer Value> ? Value : never;
};

/** What a command answers: one JSON document for programs, text for people. */
export interface Output {
  readonly json: unknown;
  readonly text: string;
}

export interface Command {
  /** As typed: `merchant create`. */
  readonly name: string;
  readonly summary: string;
  /** The id that stands behind the name: `KEY_ID`; null when none does. */
  readonly argument: string | null;
  readonly flags: Flags;
  /** Checks the arguments, before anything is opened, and answers what is to be done. Throws `UsageError`. */
  prepare(args: readonly string[]): (operator: Operator) => Promise<Output>;
}

interface CommandDefinition<F extends Flags> {
  readonly name: string;
  readonly summary: string;
  readonly argument?: string;
  readonly flags?: F;
  /** `id` is empty where the command takes none. */
  run(operator: Operator, values: Values<F>, id: string): Promise<Output>;
}

/** A command whose `run` gets each flag's value as its flag reads it. */
export function command<F extends Flags>(definition: CommandDefinition<F>): Command {
  const { name, summary, argument = null } = definition;
  const flags = definition.flags ?? ({} as F);
  return {
    name,
    summary,
    argument,
    flags,
    prepare(args) {
      const { texts, positionals } = split(name, flags, args);
      if (positionals.length > (argument === null ? 0 : 1)) {
        const extra = positionals.at(-1);
        throw new UsageError(
          `Unexpected argument ${extra}: a flag with several values is repeated or separated by commas.`,
        );
      }
      if (argument !== null && positionals.length === 0) throw new UsageError(`${name} needs ${argument}.`);
      const id = argument === null ? '' : readId(positionals[0]!, argument);
      const values = Object.fromEntries(
        Object.entries(flags).map(([flag, { read }]) => [flag, read(texts[flag], `--${flag}`)]),
      ) as Values<F>;
      return (operator) => definition.run(operator, values, id);
    },
  };
}

type Texts = Readonly<Record<string, readonly string[] | undefined>>;

/** Takes the arguments apart; the sentences of parseArgs are many lines long and advise on its own options. */
function split(name: string, flags: Flags, args: readonly string[]): { texts: Texts; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries(flags).map(([flag, { takesValue }]) => [
      flag,
      { type: takesValue ? 'string' : 'boolean', multiple: true } as const,
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const texts: Record<string, string[]> = {};
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name] : undefined;
    if (flag === undefined) throw new UsageError(`${name} has no flag ${token.rawName}.`);
    // What looks like the next flag is not taken for a value; `--name=-x` says that it is meant.
    const isNextFlag = token.inlineValue === false && token.value.startsWith('-');
    if (flag.takesValue && (token.value === undefined || isNextFlag)) {
      throw new UsageError(`${token.rawName} needs a value.`);
    }
    if (!flag.takesValue && token.value !== undefined) {
      throw new UsageError(`${token.rawName} takes no value.`);
    }
    texts[token.name] ??= [];
    texts[token.name]!.push(token.value ?? '');
  }
  return { texts, positionals };
}
