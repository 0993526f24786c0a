import { insertStep } from '../db/clock/clock-advances.ts';
import type { Tx } from '../db/engine/database.ts';
import { DAY_MS, MINUTE_MS } from '../domain/durations.ts';
import { uuidV7 } from '../domain/identifiers.ts';
import type { Merchant } from '../domain/merchants/merchant.ts';
import type { Deps } from './deps.ts';

/**
 * How long a step that cannot be taken is postponed (merchant's time). Longer while the clock is advanced, because
 * otherwise the advance would not end.
 */
const PAUSE_MS = 15 * MINUTE_MS;
const PAUSE_OF_CLOCK_MS = DAY_MS;

/** When a step that cannot be taken at `at` is tried again. */
export function stepRetryAt({ clock }: Merchant, at: Date): Date {
  return new Date(at.getTime() + (clock.pinnedAt === null ? PAUSE_MS : PAUSE_OF_CLOCK_MS));
}

/**
 * Records a step of an advance of the merchant's clock, in the transaction that does the step, so that the list is
 * exact even if a process dies. Does nothing while the clock is not being advanced.
 */
export async function recordClockStep(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  { step, objectId }: { readonly step: string; readonly objectId: string | null },
): Promise<void> {
  const at = merchant.clock.pinnedAt;
  if (at === null) return;
  await insertStep(tx, merchant, { id: uuidV7(at.getTime(), deps.random), at, step, objectId });
}
