import { UsageError } from './values.ts';

/** An error as one line for people. A connection refused on several addresses has causes, but no message of its own. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return `${error}`;
  const [inner] = error instanceof AggregateError ? error.errors : [error.cause];
  const own = error.message.split('\n')[0]!.trim();
  if (error instanceof UsageError || !(inner instanceof Error)) return own || error.name;
  return own === '' ? sentenceOf(inner) : `${own.replace(/\.$/, '')}: ${sentenceOf(inner)}`;
}
