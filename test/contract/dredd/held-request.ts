import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import type { Target } from './target.ts';

interface HeldRequest {
  readonly operationId: string;
  /** Sends it; resolves to its answer. */
  readonly send: () => Promise<{ readonly status: number }>;
  readonly hasBegun: () => Promise<boolean>;
}

/**
 * Stops a request in the middle of its work, at a locked table that it needs. Resolves once it has begun, to a function
 * that lets it go on and fails unless it succeeds. Its failure is noted as a broken step.
 */
export async function holdUp(
  target: Target,
  table: string,
  { operationId, send, hasBegun }: HeldRequest,
): Promise<() => Promise<void>> {
  const release = await target.lock(table);
  const { steps } = target;
  let early: number | undefined;
  const answered = send().then(({ status }) => {
    early = status;
    if (status >= 300) steps.broken(operationId, `A request that had to wait was answered ${status}.`);
    return status;
  });
  const letGo = async () => {
    await release();
    const status = await answered;
    assert.ok(status < 300, `The request that had to wait was answered ${status}.`);
  };
  try {
    await until('a first request is under way', async () => {
      assert.equal(early, undefined, `A request that should wait was answered ${early}.`);
      return hasBegun();
    });
  } catch (error) {
    await letGo().catch(() => {});
    throw error;
  }
  return letGo;
}
