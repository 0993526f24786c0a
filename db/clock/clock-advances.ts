import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable, Tx } from '../engine/database.ts';

/** An advance of a sandbox clock. `begunAt` and `target` are in the merchant's time. */
export interface ClockAdvance {
  readonly id: string;
  readonly begunAt: Date;
  readonly target: Date;
}

/** A step that ran during an advance. `at` is in the merchant's time. */
export interface ClockStep {
  readonly at: Date;
  readonly step: string;
  readonly objectId: string | null;
}

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

/** Stores a step of the advance in progress, if there is one. */
export async function insertStep(
  tx: Tx,
  scope: MerchantScope,
  step: ClockStep & { id: string },
): Promise<void> {
  await tx.execute(
    scope,
    `insert into clock_steps (slot, merchant_id, advance_id, id, at, step, object_id)
     select slot, merchant_id, advance_id, :id, :at, :step, :object_id
       from merchant_clocks where {scope} and target is not null`,
    { id: step.id, at: step.at, step: step.step, object_id: step.objectId },
  );
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
