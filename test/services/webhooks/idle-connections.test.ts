/** Connections that are open and not in use: for how long, and how many. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { it } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { OriginConnections } from '../../../services/webhooks/origin-connections.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { Listener } from '../../support/webhooks/listener.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n';

it('each is ended after 10 seconds, even if the receiver would keep it longer', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const opened = Promise.withResolvers<Socket>();
  await using receiver = await Listener.start((socket) => {
    opened.resolve(socket);
    socket.on('data', () => socket.write(`${OK}keep-alive: timeout=600\r\n\r\n`));
  });
  const calls = new OutgoingCalls({ allowPrivate: true });
  assert.equal((await calls.call({ url: receiver.url, method: 'POST', body: '{}' })).kind, 'answer');
  const closed = once(await opened.promise, 'close', { signal: AbortSignal.timeout(5_000) });
  // The timer of the connection begins after the answer.
  await immediate();
  t.mock.timers.tick(10_000);
  await closed;
  await calls.close();
});

it('the one that was used longest ago is ended when there are too many', async () => {
  const opened: string[] = [];
  const listen = (name: string) =>
    Listener.start((socket) => {
      opened.push(name);
      socket.on('data', () => socket.write(`${OK}\r\n`));
    });
  await using one = await listen('one');
  await using two = await listen('two');
  const connections = new OriginConnections({}, 2);
  const used = async ({ port }: Listener) => {
    const origin = `http://127.0.0.1:${port}`;
    const client = connections.take(origin);
    const { body } = await client.request({ path: '/', method: 'GET' });
    await body.dump();
    return () => connections.giveBack(origin, client);
  };
  const oneInUse = await used(one);
  const twoInUse = [await used(two), await used(two)];
  assert.deepEqual(opened.splice(0), ['one', 'two', 'two']);
  for (const giveBack of [oneInUse, ...twoInUse]) giveBack();
  const again = [await used(two), await used(two), await used(one)];
  assert.deepEqual(opened.splice(0), ['one'], 'its connection was ended');
  for (const giveBack of again) giveBack();
  (await used(two))();
  (await used(one))();
  assert.deepEqual(opened, [], 'the two that were used last stay open');
  await connections.destroy();
});
