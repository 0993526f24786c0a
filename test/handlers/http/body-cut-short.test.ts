import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { readJsonBody } from '../../../handlers/http/body.ts';
import { HttpRefusal } from '../../../handlers/http/refusal.ts';

test('a request whose client disconnects after the last byte of the body, before it is read, is refused at once', async () => {
  const request = new IncomingMessage(new Socket());
  request.headers['content-type'] = 'application/json';
  request.push('{}');
  request.push(null);
  request.complete = true;
  const reading = readJsonBody(request, true);
  // As Node's server does when the connection closes.
  request.destroy(new Error('aborted'));
  const outcome = await Promise.race([
    reading.catch((error: unknown) => error),
    new Promise((resolve) => setImmediate(() => setImmediate(resolve, 'still waiting'))),
  ]);
  assert.ok(outcome instanceof HttpRefusal, String(outcome));
  assert.equal(outcome.code, 'invalid_json');
});
