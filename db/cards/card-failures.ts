import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/*
 * Failures to decrypt a card are counted in table rate_windows, with one row for each sender and second, so that a
 * window of 60 seconds can start at any second.
 */

export interface FailureWindow {
  /**
   * A keyed hash of the sender: the id of an API key, which itself counts the requests of the key, or a buyer's
   * address.
   */
  readonly counterId: string;
  /** Failures in this second and later count. */
  readonly since: Date;
}

/** The failures of a sender in the window. */
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
 * Counts a failure in the second `at`. Resolves to the failures in the window, including this one. Two failures in the
 * same second never get the same number, even from different processes.
 */
export async function addFailure(
  db: Database,
  scope: MerchantScope,
  window: FailureWindow & { readonly at: Date },
): Promise<number> {
  const { failures } = await db.one<{ failures: number }>(
    scope,
    `with counted as (
       insert into rate_windows (slot, merchant_id, key_id, minute, used)
       values (:slot, :merchant_id, :counter_id, :at, 1)
       on conflict (slot, merchant_id, key_id, minute) do update set used = rate_windows.used + excluded.used
       returning used
     )
     select (select used from counted) + coalesce(sum(used), 0)::int as failures from rate_windows
      where {scope} and key_id = :counter_id and minute >= :since and minute < :at`,
    { counter_id: window.counterId, since: window.since, at: window.at },
  );
  return failures;
}
