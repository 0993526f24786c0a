import { answerWithSubject } from './answers.ts';
import { readOperation, sealOperation } from './operations.ts';
import type { Simulator } from './simulator.ts';

/**
 * The outcome of the operation with a reference. With `seal`, a reference that was never recorded is refused from now on:
 * the seal and a late request insert the same row, so exactly one of them succeeds.
 */
export async function inquire(
  { pool }: Simulator,
  { account, reference, seal }: { account: string; reference: string; seal: boolean },
): Promise<object> {
  if (seal) await sealOperation(pool, account, reference);
  const operation = await readOperation(pool, account, reference);
  return (operation && answerWithSubject(operation, operation).outcome) ?? { status: 'not_found' };
}
