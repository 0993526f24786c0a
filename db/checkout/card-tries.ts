import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';

/** Counters that one try adds to, sorted, so that simultaneous tries lock the rows in one order. */
export interface TryCounters {
  readonly counterIds: readonly string[];
  /** The minute of the try (wall time). */
  readonly minute: Date;
}

/** Counts one try in each counter. Simultaneous tries wait until the transaction ends. */
export async function addTry(
  tx: Tx,
  scope: MerchantScope,
  { counterIds, minute }: TryCounters,
): Promise<void> {
  await tx.execute(
    scope,
    `insert into checkout_tries (slot, merchant_id, counter_id, minute, tries)
     select :slot, :merchant_id, counter_id, :minute, 1 from unnest(cast(:counter_ids as uuid[])) counter_id
     on conflict (slot, merchant_id, counter_id, minute) do update set tries = checkout_tries.tries + excluded.tries`,
    { counter_ids: counterIds, minute },
  );
}

/** Subtracts a try that `addTry` has counted. */
export async function subtractTry(
  tx: Tx,
  scope: MerchantScope,
  { counterIds, minute }: TryCounters,
): Promise<void> {
  await tx.execute(
    scope,
    `with counted as (
       select counter_id from checkout_tries
        where {scope} and counter_id = any(:counter_ids) and minute = :minute and tries > 0
        order by counter_id for update)
     update checkout_tries t set tries = t.tries - 1
       from counted
      where {scope:t} and t.counter_id = counted.counter_id and t.minute = :minute`,
    { counter_ids: counterIds, minute },
  );
}

/** The tries of a counter since an instant. */
export interface CountedTries {
  readonly counterId: string;
  readonly tries: number;
  /** The first minute with a try. */
  readonly firstMinute: Date;
}

/** Counters without a try since then are left out. */
export async function countTries(
  tx: Tx,
  scope: MerchantScope,
  { counterIds, since }: { readonly counterIds: readonly string[]; readonly since: Date },
): Promise<CountedTries[]> {
  const rows = await tx.rows<{ counter_id: string; tries: number; first_minute: Date }>(
    scope,
    `select counter_id, sum(tries)::integer as tries, min(minute) as first_minute from checkout_tries
      where {scope} and counter_id = any(:counter_ids) and minute > :since and tries > 0
      group by counter_id`,
    { counter_ids: counterIds, since },
  );
  return rows.map((row) => ({ counterId: row.counter_id, tries: row.tries, firstMinute: row.first_minute }));
}
