import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/*
 * Failures to open an encrypted card, counted in table rate_windows: one row a key and second, under an id made from
 * that of the key. By the second and not by the minute, so that 60 seconds may begin at any of them.
 */

export interface FailureWindow {
  /** Made from the id of the API key: its requests are counted under its own. */
  readonly counterId: string;
  /** Failures in this second and after it count. */
  readonly since: Date;
}

/** How often a key failed since the window's beginning. */
export async function countFailures(
  db: Database,
  scope: MerchantScope,
  window: FailureWindow,
): Promise<number> {
  const { failures } = await db.one<{ failures: number }>(
    scope,
    `select coalesce(sum(used), 0)::int as failures from rate_windows
      where {scope} and key_id = :counter_id and minute >= :since`,
    { counter_id: window.counterId, since: window.since },
  );
  return failures;
}

/**
 * Counts one more failure, in the second `at`; resolves to how many there are now in the window, this one included.
 * No two failures of one second get the same answer, however many processes count.
 */
export async function addFailure(
  db: Database,
  scope: MerchantScope,
  window: FailureWindow & { readonly at: Date },
): Promise<number> {
  const { failures } = await db.one<{ failures: number }>(
    scope,
    `with this as (
       insert into rate_windows (slot, merchant_id, key_id, minute, used)
       values (:slot, :merchant_id, :counter_id, :at, 1)
       on conflict (slot, merchant_id, key_id, minute) do update set used = rate_windows.used + excluded.used
       returning used
     )
     select (select used from this) + coalesce(sum(used), 0)::int as failures from rate_windows
      where {scope} and key_id = :counter_id and minute >= :since and minute < :at`,
    { counter_id: window.counterId, since: window.since, at: window.at },
  );
  return failures;
}
