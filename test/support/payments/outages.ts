import assert from 'node:assert/strict';
import { SECOND_MS } from '../../../domain/durations.ts';
import { reconcileEvidence, reconcileOperations } from '../run-jobs.ts';
import type { TestService } from '../service.ts';
import type { Shop } from '../shop.ts';

/** After this many inquiries without an answer, the next one is as late as it can be. */
const INQUIRIES = 5;

const JOBS = { dispute_evidence: reconcileEvidence, payment_operations: reconcileOperations } as const;

/**
 * The job asks for the outcome of what a shop has pending, again and again, each time when it is due. Ends with an
 * inquiry. The caller lets them fail.
 */
export async function askInVain(
  service: TestService,
  { account }: Shop,
  table: keyof typeof JOBS,
): Promise<void> {
  for (let i = 0; i < INQUIRIES; i += 1) {
    const [row] = await service.rows<{ check_at: Date }>(
      `select check_at from ${table} where merchant_id = :account and state = 'pending'`,
      { account },
    );
    service.setAhead(row!.check_at.getTime() - Date.now() + SECOND_MS / 10);
    assert.equal(await JOBS[table](service.deps), 1);
  }
}
