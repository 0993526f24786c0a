import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, it, mock } from 'node:test';
import type { OnboardedMerchant } from '../../../services/merchants/create-merchant.ts';
import { gaugesOf, untilIdle } from '../../support/http/gauges.ts';
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

/** Asks for a merchant's customers and does not read the answer. */
function readerOfCustomers({ apiKey }: OnboardedMerchant): Socket {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET /api/v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`);
  return socket;
}

/** Gives the merchant a customer that is answered with this many bytes. The kernel keeps some 4 MB of a connection. */
async function addLargeCustomer({ apiKey, merchant }: OnboardedMerchant, bytes: number): Promise<void> {
  const body = { name: 'A', email: 'a@example.com' };
  const { body: customer } = await service.call('POST', '/customers', { key: apiKey, body });
  await service.deps.db.execute(
    merchant,
    `update customers set metadata = jsonb_build_object('k', repeat('x', ${bytes})) where {scope} and id = :id`,
    { id: customer.id },
  );
  await untilIdle(service);
}

it('answers that are read slowly hold their tickets for at most a minute', async () => {
  await addLargeCustomer(service.merchant, 7_500_000);
  expiries.length = 0;
  const readers = Array.from({ length: 3 }, () => readerOfCustomers(service.merchant));
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
    await untilIdle(service);
  }
});

it('a merchant with 16 MiB of unread answers is refused, and another merchant is served', async () => {
  const merchant = await service.newMerchant();
  const other = await service.newMerchant();
  await addLargeCustomer(merchant, 20_000_000);
  const statusOf = async ({ apiKey }: OnboardedMerchant) => {
    const answer = await service.call('GET', '/customers/nobody', { key: apiKey });
    if (answer.status === 503) assert.equal(answer.headers.get('retry-after'), '1');
    return answer.status;
  };
  expiries.length = 0;
  const reader = readerOfCustomers(merchant);
  try {
    await until('it is answered', () => expiries.length === 1);
    assert.deepEqual([await statusOf(merchant), await statusOf(other)], [503, 404]);
  } finally {
    reader.destroy();
  }
  await untilIdle(service);
  assert.equal(await statusOf(merchant), 404);
});
