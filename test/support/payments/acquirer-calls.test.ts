import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Acquirer, Inquiry } from '../../../gateway/acquirer.ts';
import { interceptable } from './interceptable-acquirer.ts';

/** An acquirer whose answers to inquiries contain its name, as their cause. */
const answering = (cause: string) => ({
  inquire: (async () => ({ kind: 'unknown', cause })) as unknown as Acquirer['inquire'],
});

async function causeOf(deps: { acquirer: Acquirer }): Promise<string> {
  const outcome = await deps.acquirer.inquire({} as Inquiry);
  return (outcome as { cause: string }).cause;
}

test('an interception that ends leaves the earlier ones in place, in any order', async () => {
  const deps = { acquirer: { isConfigured: true, ...answering('real') } as unknown as Acquirer };
  const intercept = interceptable(deps);
  const first = intercept(() => answering('first'));
  const second = intercept(() => answering('second'));
  assert.equal(await causeOf(deps), 'second');
  second.undo();
  assert.equal(await causeOf(deps), 'first');
  const third = intercept(() => answering('third'));
  first.undo();
  assert.equal(await causeOf(deps), 'third');
  third.undo();
  assert.equal(await causeOf(deps), 'real');
});
