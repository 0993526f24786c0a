import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from './deps.ts';

/** The merchant id of counters that belong to no merchant. */
const NO_MERCHANT = '00000000-0000-0000-0000-000000000000';

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

/** Where the row of a counter is that counts over all merchants. */
export function scopeOfCounter(counterId: string): MerchantScope {
  return { slot: Number.parseInt(counterId.slice(0, 2), 16), merchantId: NO_MERCHANT };
}
