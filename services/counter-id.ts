import type { Deps } from './deps.ts';

/**
 * The id of the row that counts what one sender does, in the form of a UUID. A keyed hash, so that the tables do not
 * show the addresses of buyers. `name` says what is counted.
 */
export function counterIdOf({ hash }: Pick<Deps, 'hash'>, name: string, value: string): string {
  const hex = hash('counter', `${name}\0${value}`).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}
