import { type Reader, UsageError } from './values.ts';

/** One flag of a command: how it is typed, and how its texts become a value. */
export interface Flag<Value> {
  /** Stands for the value in the help: `N`; empty for a switch. */
  readonly hint: string;
  readonly takesValue: boolean;
  readonly isRequired: boolean;
  readonly mayRepeat: boolean;
  /** `texts` is undefined when the flag was not given. Throws `UsageError` naming `flag`. */
  read(texts: readonly string[] | undefined, flag: string): Value;
}

/** A flag with one value. */
export function one<Value>(hint: string, reader: Reader<Value>): Flag<Value | undefined> {
  return {
    hint,
    takesValue: true,
    isRequired: false,
    mayRepeat: false,
    read: (texts, flag) => (texts === undefined ? undefined : reader(only(texts, flag), flag)),
  };
}

/** A flag with one value that must be there. */
export function required<Value>(hint: string, reader: Reader<Value>): Flag<Value> {
  return {
    ...one(hint, reader),
    isRequired: true,
    read(texts, flag) {
      if (texts === undefined) throw new UsageError(`${flag} is required.`);
      return reader(only(texts, flag), flag);
    },
  };
}

/** A flag with several values, repeated or separated by commas; one that is named twice counts once. */
export function many<Value>(hint: string, reader: Reader<Value>): Flag<readonly Value[] | undefined> {
  return {
    hint,
    takesValue: true,
    isRequired: false,
    mayRepeat: true,
    read: (texts, flag) =>
      texts === undefined ? undefined : [...new Set(parts(texts).map((part) => reader(part, flag)))],
  };
}

/** Several values whose order counts and whose repetition is meant, read as a whole. */
export function series<Value>(
  hint: string,
  reader: (texts: readonly string[], flag: string) => Value,
): Flag<Value | undefined> {
  return {
    hint,
    takesValue: true,
    isRequired: false,
    mayRepeat: true,
    read: (texts, flag) => (texts === undefined ? undefined : reader(parts(texts), flag)),
  };
}

/** A flag that is there or not. */
export function toggle(): Flag<boolean> {
  return {
    hint: '',
    takesValue: false,
    isRequired: false,
    mayRepeat: false,
    read: (texts) => texts !== undefined,
  };
}

function parts(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(',')).map((part) => part.trim());
}

function only(texts: readonly string[], flag: string): string {
  if (texts.length > 1) throw new UsageError(`${flag} takes one value and was given ${texts.length} times.`);
  return texts[0]!.trim();
}
