import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, it, mock } from 'node:test';
import { gaugesOf, untilIdle } from '../../support/gauges.ts';
import { sharedService } from '../../support/shared-service.ts';
import { until } from '../../support/until.ts';

/** How long a client may take to read an answer. */
const ANSWER_TIMEOUT_MS = 60_000;

const service = await sharedService({ jobs: false, env: { MAX_IN_FLIGHT: '4' } });

/** What the service does when the time of an answer is over: the test runs it at once. */
const expiries: (() => void)[] = [];
const real = globalThis.setTimeout;
const timers = mock.method(globalThis, 'setTimeout', (run: () => void, ms?: number, ...rest: []) => {
  if (ms === ANSWER_TIMEOUT_MS) expiries.push(run);
  return real(run, ms, ...rest);
});
after(() => timers.mock.restore());

function readerOfCustomers(): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  const key = service.merchant.apiKey;
  socket.write(`GET /api/v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return socket;
}

it('answers that are read a little at a time hold their places for a minute, and no longer', async () => {
  const { body } = await service.call('POST', '/customers', { body: { name: 'A', email: 'a@example.com' } });
  // More than the kernel keeps of a connection.
  await service.deps.db.execute(
    service.merchant.merchant,
    `update customers set metadata = jsonb_build_object('k', repeat('x', 30000000)) where {scope} and id = :id`,
    { id: body.id },
  );
  await untilIdle(service);
  expiries.length = 0;
  const readers = Array.from({ length: 3 }, readerOfCustomers);
  try {
    await until('all are answered', () => expiries.length === 3);
    assert.equal((await gaugesOf(service)).in_flight, 3);
    const refused = await service.call('GET', '/customers/nobody');
    assert.equal(refused.body.error.code, 'overloaded');
    for (const socket of readers) socket.read(1);
    for (const expire of expiries) expire();
    await untilIdle(service);
    assert.equal((await service.call('GET', '/customers/nobody')).status, 404);
  } finally {
    for (const socket of readers) socket.destroy();
  }
});
