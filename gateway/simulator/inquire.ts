import { readOperation, sealOperation } from './operations.ts';
import { answerTo } from './replies.ts';
import type { Simulator } from './simulator.ts';

/**
 * What became of a reference. With `seal`, one that was never booked is refused from now on: the tombstone and a
 * late request want the same row, so exactly one of them gets it. A sealed or lost reference was never booked.
 */
export async function inquire(
  { pool }: Simulator,
  { account, reference, seal }: { account: string; reference: string; seal: boolean },
): Promise<object> {
  if (seal) await sealOperation(pool, account, reference);
  const operation = await readOperation(pool, account, reference);
  return (operation && answerTo(operation, operation).outcome) ?? { status: 'not_found' };
}
