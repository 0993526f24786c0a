import type { ClockAdvance, ClockStep } from '../../domain/clock/clock-advance.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { rowList } from '../engine/row-list.ts';

/** Stores an advance that begins. `createdAt` is wall time. */
export async function insertAdvance(
  tx: Tx,
  scope: MerchantScope,
  advance: ClockAdvance & { createdAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `insert into clock_advances (slot, merchant_id, id, begun_at, target, created_at)
     values (:slot, :merchant_id, :id, :begun_at, :target, :created_at)`,
    { id: advance.id, begun_at: advance.begunAt, target: advance.target, created_at: advance.createdAt },
  );
}

/** An advance by its id; undefined when it was deleted. */
export async function findAdvance(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<ClockAdvance | undefined> {
  const row = await q.maybeOne<{ id: string; begun_at: Date; target: Date }>(
    scope,
    'select id, begun_at, target from clock_advances where {scope} and id = :id',
    { id },
  );
  return row === undefined ? undefined : { id: row.id, begunAt: row.begun_at, target: row.target };
}

/** Deletes the advances that began before `before` (wall time), and their steps. */
export async function deleteAdvances(tx: Tx, scope: MerchantScope, before: Date): Promise<void> {
  await tx.execute(
    scope,
    `delete from clock_steps where {scope} and advance_id in (
       select id from clock_advances where {scope} and created_at < :before)`,
    { before },
  );
  await tx.execute(scope, 'delete from clock_advances where {scope} and created_at < :before', { before });
}

type NewStep = ClockStep & { readonly id: string };

/** Stores a step of the advance in progress, if there is one. A reset that holds the clock has no row, and no steps. */
export function insertStep(tx: Tx, scope: MerchantScope, step: NewStep): Promise<void> {
  return insertSteps(tx, scope, step);
}

const insertSteps = bulk<Tx, NewStep, void>(async (tx, scope, steps) => {
  const rows = rowList(
    'n',
    { id: 'uuid', at: 'timestamptz', step: 'text', object_id: 'uuid' },
    steps.map(({ id, at, step, objectId }) => ({ id, at, step, object_id: objectId })),
  );
  await tx.execute(
    scope,
    `insert into clock_steps (slot, merchant_id, advance_id, id, at, step, object_id)
     select c.slot, c.merchant_id, c.advance_id, n.id, n.at, n.step, n.object_id
       from merchant_clocks c
       join clock_advances a on {scope:a} and a.id = c.advance_id, ${rows.sql}
      where {scope:c} and c.target is not null`,
    rows.params,
  );
  return [];
});

/** When the latest step of an advance ran; null before the first. */
export async function lastStepAt(
  q: Queryable,
  scope: MerchantScope,
  advanceId: string,
): Promise<Date | null> {
  const row = await q.one<{ at: Date | null }>(
    scope,
    'select max(at) as at from clock_steps where {scope} and advance_id = :advance_id',
    { advance_id: advanceId },
  );
  return row.at;
}

/** How many steps an advance ran, and the first of them in order. */
export async function readSteps(
  q: Queryable,
  scope: MerchantScope,
  advanceId: string,
  limit: number,
): Promise<{ total: number; first: ClockStep[] }> {
  const { total } = await q.one<{ total: number }>(
    scope,
    'select count(*) as total from clock_steps where {scope} and advance_id = :advance_id',
    { advance_id: advanceId },
  );
  const rows = await q.rows<{ at: Date; step: string; object_id: string | null }>(
    scope,
    `select at, step, object_id from clock_steps where {scope} and advance_id = :advance_id
      order by id limit :limit`,
    { advance_id: advanceId, limit },
  );
  return { total, first: rows.map((row) => ({ at: row.at, step: row.step, objectId: row.object_id })) };
}
