import { type Reader, UsageError } from './values.ts';

/** What commander calls with each value of an option, and with what it returned for the value before. */
type ValueParser<Value> = (text: string, previous: Value) => Value;

/** Parses an option that takes one value. `flag` is named in errors: `--name`. */
export function single<Value>(flag: string, read: Reader<Value>): ValueParser<Value> {
  return (text, previous: Value | undefined) => {
    if (previous !== undefined) throw new UsageError(`${flag} takes one value and was given twice.`);
    return read(givenValue(text, flag), flag);
  };
}

/** Parses an option that takes several values, repeated or separated by commas; duplicates count once. */
export function list<Value>(flag: string, read: Reader<Value>): ValueParser<readonly Value[]> {
  return (text, previous: readonly Value[] | undefined) => {
    const values = split(text, flag).map((part) => read(part, flag));
    return [...new Set([...(previous ?? []), ...values])];
  };
}

/** Parses an option whose values are read together: their order counts, and duplicates stay. */
export function sequence<Value>(
  flag: string,
  read: (texts: readonly string[], flag: string) => Value,
): ValueParser<Value> {
  const texts: string[] = [];
  return (text) => {
    texts.push(...split(text, flag));
    return read(texts, flag);
  };
}

function split(text: string, flag: string): string[] {
  return givenValue(text, flag)
    .split(',')
    .map((part) => part.trim());
}

/** Commander takes the next argument as the value, also where that is an option: `--name --pending`. */
function givenValue(text: string, flag: string): string {
  if (text.startsWith('--') || text === '-h') throw new UsageError(`${flag} needs a value, not ${text}.`);
  return text.trim();
}
