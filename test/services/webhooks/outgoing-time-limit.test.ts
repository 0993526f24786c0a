import assert from 'node:assert/strict';
import { it, mock } from 'node:test';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { Listener } from '../../support/webhooks/listener.ts';

it('a call without an answer ends after 10 seconds', async () => {
  await using silent = await Listener.start(() => {});
  const calls = new OutgoingCalls({ allowPrivate: true });
  const immediate = setImmediate;
  mock.timers.enable();
  try {
    let hasEnded = false;
    const result = calls.call({ url: silent.url, method: 'POST' }).finally(() => {
      hasEnded = true;
    });
    mock.timers.tick(9_999);
    await new Promise((resolve) => immediate(resolve));
    assert.equal(hasEnded, false);
    mock.timers.tick(1);
    const { kind, ...failure } = await result;
    assert.deepEqual([kind, 'code' in failure && failure.code], ['failed', 'timed_out']);
  } finally {
    mock.timers.reset();
    await calls.close();
  }
});
