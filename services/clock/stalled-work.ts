import { postponeDueRows } from '../../db/due-rows.ts';
import { type Merchant, mayCharge } from '../../domain/merchants/merchant.ts';
import { stepRetryAt } from '../clock-steps.ts';
import type { Deps } from '../deps.ts';
import type { PlannedWork } from './clocked-work.ts';

/** How long work that cannot be done delays an advance (wall time). Longer than the lease of a process that died. */
const STALL_TIMEOUT_MS = 30_000;

/** Work that is due while a clock is advanced, and that cannot be done. It is postponed, so that every advance ends. */
export class StalledWork {
  readonly #deps: Deps;
  #since_ms: number | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether the latest attempts have done nothing. */
  get isWaiting(): boolean {
    return this.#since_ms !== null;
  }

  /** Call it when some work was done, or the clock has moved. */
  clear(): void {
    this.#since_ms = null;
  }

  /** Call it when no planned work that is due could be done. Postpones and logs that work when this lasts too long. */
  async reportStall(merchant: Merchant, planned: readonly PlannedWork[]): Promise<void> {
    const wall_ms = this.#deps.wall().getTime();
    this.#since_ms ??= wall_ms;
    if (wall_ms - this.#since_ms < STALL_TIMEOUT_MS) return;
    const at = merchant.clock.pinnedAt!;
    const dueAt = stepRetryAt(merchant, at);
    for (const { work, due } of planned) {
      if (due !== null && due <= at)
        await postponeDueRows(this.#deps.db, merchant, work.rows, {
          mayCharge: mayCharge(merchant),
          until: at,
          dueAt,
        });
    }
    const fields = { merchant_id: merchant.merchantId, at: at.toISOString() };
    this.#deps.log.error(fields, 'due work delayed an advance of the clock and was postponed');
    this.clear();
  }
}
