import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseUnavailable, isRetryable } from '../../db/engine/unavailable.ts';
import { usedSlots } from '../../db/merchants/used-slots.ts';
import {
  listOlderValues,
  listVersionsInUse,
  type Resealed,
  replaceValues,
  type SealedColumn,
  type SealedPosition,
  type SealedValue,
} from '../../db/vault/sealed-values.ts';
import { deleteVaultKey, listSupersededVersions } from '../../db/vault/vault-keys.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Deps } from '../deps.ts';

/** How often each process reads the vault's keys, and so begins to use a new version. */
export const VAULT_REFRESH_MS = 1_000;
/**
 * After this time no process seals with the previous version: each has read the keys again, and its transactions have
 * ended.
 */
const SETTLE_MS = 3 * VAULT_REFRESH_MS;
/** A version is deleted a day after a newer one was added, when no process can use it any more. */
const RETIRED_AFTER_MS = DAY_MS;
const BATCH = 200;
/** Usually the second pass finds a few values, and the third none. */
const MAX_PASSES = 20;

/** A sealed column and the vault context of its values. */
export interface ContextualColumn extends SealedColumn {
  context(position: SealedPosition): string;
}

export interface RotationOptions {
  /** Waits until other processes use the new version. */
  readonly settle?: () => Promise<void>;
}

export interface Rotation {
  /** The version with which all values are sealed now. */
  readonly version: number;
  readonly resealed: number;
  /** Values that cannot be opened (`table.column of key`). They are not changed, and their key is not deleted. */
  readonly unreadable: readonly string[];
  /** Versions that were deleted, because no value is sealed with them. */
  readonly retired: readonly number[];
}

interface RotationDeps extends Pick<Deps, 'db' | 'vault' | 'wall'> {
  /** Every sealed column. */
  readonly sealedColumns: readonly ContextualColumn[];
}

/** What the passes of one rotation share. */
interface RotationContext {
  readonly deps: RotationDeps;
  /** The version with which values are sealed again. */
  readonly version: number;
  /** Values that cannot be opened. */
  readonly unreadable: Set<string>;
}

/**
 * Adds a key version and seals every value again with it, while other processes read and write. A value that changes at
 * the same time is left to the next pass; passes are repeated until one finds nothing. Can be run again at any time,
 * also after the process died. Throws when a process continues to use an older version.
 */
export async function rotateVault(deps: RotationDeps, options: RotationOptions = {}): Promise<Rotation> {
  const settle = options.settle ?? (() => wait(SETTLE_MS));
  const version = await deps.vault.addVersion();
  const context = { deps, version, unreadable: new Set<string>() };
  let resealed = await resealAll(context);
  for (let pass = 1; ; pass += 1) {
    await settle();
    const late = await resealAll(context);
    resealed += late;
    if (late === 0) break;
    if (pass === MAX_PASSES) throw new Error('A process continues to use an older key version.');
  }
  const unreadable = [...context.unreadable];
  return { version, resealed, unreadable, retired: await retireVersions(deps) };
}

/** One pass over all columns and slots. Returns the number of values with an older version. */
async function resealAll(context: RotationContext): Promise<number> {
  const { deps } = context;
  let found = 0;
  for (const slot of await usedSlots(deps.db)) {
    for (const column of deps.sealedColumns) {
      found += await resealColumn(context, slot, column);
    }
  }
  return found;
}

async function resealColumn(
  context: RotationContext,
  slot: number,
  column: ContextualColumn,
): Promise<number> {
  const { deps, version } = context;
  let found = 0;
  let after: SealedPosition | null = null;
  for (;;) {
    const batch: SealedValue[] = await listOlderValues(deps.db, slot, column, {
      version,
      after,
      limit: BATCH,
    });
    const fresh = await resealBatch(context, column, batch);
    if (fresh.length > 0) await replaceOrLeave(deps, slot, column, fresh);
    found += fresh.length;
    if (batch.length < BATCH) return found;
    after = batch.at(-1)!;
  }
}

async function resealBatch(
  { deps, unreadable }: RotationContext,
  column: ContextualColumn,
  batch: readonly SealedValue[],
): Promise<Resealed[]> {
  const fresh: Resealed[] = [];
  for (const value of batch) {
    const context = column.context(value);
    try {
      const plain = await deps.vault.open(value.sealed, context);
      fresh.push({ ...value, fresh: deps.vault.seal(plain, context) });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      unreadable.add(`${column.table}.${column.column} of ${value.key}`);
    }
  }
  return fresh;
}

/** A batch that failed with a deadlock is left to the next pass. */
async function replaceOrLeave(
  deps: RotationDeps,
  slot: number,
  column: ContextualColumn,
  fresh: readonly Resealed[],
): Promise<void> {
  try {
    await replaceValues(deps.db, slot, column, fresh);
  } catch (error) {
    if (!isRetryable(error)) throw error;
  }
}

async function retireVersions(deps: RotationDeps): Promise<number[]> {
  const before = new Date(deps.wall().getTime() - RETIRED_AFTER_MS);
  const superseded = await listSupersededVersions(deps.db, before);
  if (superseded.length === 0) return [];
  const inUse = new Set<number>();
  for (const column of deps.sealedColumns) {
    for (const version of await listVersionsInUse(deps.db, column)) inUse.add(version);
  }
  const retired = superseded.filter((version) => !inUse.has(version));
  for (const version of retired) await deleteVaultKey(deps.db, version);
  return retired;
}
