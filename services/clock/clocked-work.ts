import { nextDueRows } from '../../db/due-rows.ts';
import { type Merchant, mayCharge } from '../../domain/merchants/merchant.ts';
import type { ClockedWork, Deps } from '../deps.ts';

/** Work of one kind, and when it is next due. */
export interface PlannedWork {
  readonly work: ClockedWork;
  readonly due: Date | null;
}

/** When the next work of each kind is due by the merchant's clock, in the order in which it runs at one instant. */
export async function planWork(deps: Deps, merchant: Merchant): Promise<PlannedWork[]> {
  const tables = deps.clockedWork.map(({ rows }) => rows);
  const due = await nextDueRows(deps.db, merchant, tables, mayCharge(merchant));
  return deps.clockedWork.map((work, i) => ({ work, due: due[i] ?? null }));
}

/** Runs the planned work that is due at an instant. Returns the number of items. */
export async function runPlannedWork(
  deps: Deps,
  merchant: Merchant,
  planned: readonly PlannedWork[],
  instant: Date,
): Promise<number> {
  let done = 0;
  for (const { work, due } of planned) {
    if (due !== null && due <= instant) done += await work.runDue(deps, merchant);
  }
  return done;
}
