import assert from 'node:assert/strict';
import { until } from '../../support/until.ts';
import type { Stage } from './stage.ts';

/** Sends the request that is to be held up; resolves to its answer's status. */
type Send = () => Promise<{ readonly status: number }>;

/**
 * Has a request stand in the middle of its work, at a locked table that it needs. Resolves once it `hasBegun`, to what
 * lets it go and makes sure that it was carried out.
 */
export async function holdUp(
  stage: Stage,
  table: string,
  send: Send,
  hasBegun: () => Promise<boolean>,
): Promise<() => Promise<void>> {
  const release = await stage.lock(table);
  let early: number | undefined;
  const answered = send().then(({ status }) => {
    early = status;
    return status;
  });
  const letGo = async () => {
    await release();
    const status = await answered;
    assert.ok(status < 300, `The request that was held up was answered ${status}.`);
  };
  try {
    await until('a first request is under way', async () => {
      assert.equal(early, undefined, `A request that should be held up was answered ${early}.`);
      return hasBegun();
    });
  } catch (error) {
    await letGo().catch(() => {});
    throw error;
  }
  return letGo;
}
