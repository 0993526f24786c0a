/** One call after another to a receiver: its connections are used again. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import type { OutgoingResult } from '../../../services/webhooks/outgoing.ts';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { Listener } from '../../support/webhooks/listener.ts';

const codeOf = (result: OutgoingResult) => (result.kind === 'failed' ? result.code : result.status);

describe('a call', () => {
  it('sends method, headers and exact body', async () => {
    let sent = '';
    await using receiver = await Listener.start((socket) =>
      socket.on('data', (chunk) => {
        sent += chunk;
        if (sent.endsWith('"}')) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const calls = new OutgoingCalls({ allowPrivate: true });
    const body = '{"text":"São Paulo"}';
    const headers = { 'content-type': 'application/json', 'x-own': '1' };
    const result = await calls.call({ url: receiver.url, method: 'POST', headers, body });
    assert.equal(codeOf(result), 204);
    assert.match(sent, /^POST \/hook HTTP\/1\.1\r\n/);
    assert.match(sent, /\r\nx-own: 1\r\n/);
    assert.ok(sent.endsWith(`\r\n\r\n${body}`));
    await calls.close();
  });

  it('uses a connection that is open and free, and no more are opened than calls are in flight', async () => {
    const open: Socket[] = [];
    await using receiver = await Listener.start((socket) => {
      open.push(socket);
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'));
    });
    const calls = new OutgoingCalls({ allowPrivate: true });
    const call = () => calls.call({ url: receiver.url, method: 'POST', body: '{}' });
    for (let i = 0; i < 3; i += 1) assert.equal(codeOf(await call()), 200);
    assert.equal(receiver.connections, 1);
    for (let i = 0; i < 3; i += 1) await Promise.all(Array.from({ length: 5 }, call));
    assert.equal(receiver.connections, 5);
    const closed = open.map((socket) => once(socket, 'close'));
    for (const socket of open) socket.end();
    await Promise.all(closed);
    assert.equal(codeOf(await call()), 200, 'the receiver closed them all');
    assert.equal(receiver.connections, 6);
    await calls.close();
  });

  it('is sent again over a new connection if an idle one is closed at the same time', async () => {
    let requests = 0;
    await using receiver = await Listener.start((socket) => {
      let answered = 0;
      socket.on('data', () => {
        requests += 1;
        if (answered++ > 0) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
      });
    });
    const calls = new OutgoingCalls({ allowPrivate: true });
    const call = () => calls.call({ url: receiver.url, method: 'POST', body: '{}' });
    for (let i = 0; i < 3; i += 1) assert.equal(codeOf(await call()), 200);
    assert.deepEqual([receiver.connections, requests], [3, 5]);
    await calls.close();
  });

  it('is sent only once if a new connection is closed', async () => {
    await using receiver = await Listener.start((socket) => socket.on('data', () => socket.destroy()));
    const calls = new OutgoingCalls({ allowPrivate: true });
    const result = await calls.call({ url: receiver.url, method: 'POST', body: '{}' });
    assert.deepEqual([codeOf(result), receiver.connections], ['connection_closed', 1]);
    await calls.close();
  });
});
