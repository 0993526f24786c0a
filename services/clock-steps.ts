import { insertStep } from '../db/clock/clock-advances.ts';
import type { Tx } from '../db/engine/database.ts';
import { uuidV7 } from '../domain/identifiers.ts';
import type { Merchant } from '../domain/merchants/merchant.ts';
import type { Deps } from './deps.ts';

/**
 * Records what has just run, in the transaction that did it, while the merchant's clock is being advanced; so the list is
 * exact whichever process dies and when. Does nothing while the clock ticks by itself.
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
