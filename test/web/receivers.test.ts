/** The programs of the guide "Webhooks" accept the deliveries of a service, and nothing else. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { DeliveryLoop } from '../../jobs/webhooks/delivery-loop.ts';
import { signatureHeaders, signingKeys } from '../../services/webhooks/signature.ts';
import { receiverFragments } from '../../web/receiver-samples.ts';
import { missingProgram } from '../support/processes/apt-program.ts';
import { fanOutEvents } from '../support/run-jobs.ts';
import type { Json } from '../support/service.ts';
import { sharedService } from '../support/shared-service.ts';
import { created, Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { LANGUAGES, ReceiverProgram, type RunningReceiver } from './support/receiver-programs.ts';

const service = await sharedService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });

/** The secret of the endpoint, and one of another endpoint. */
const SECRET = `whsec_${Buffer.alloc(32, 'a').toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 'b').toString('base64')}`;

const ID = '01a1ff90-4a10-7c66-8f3e-51d2a7c40b19';

/** Sends a delivery to a receiver as the service signs it, `age_s` seconds ago. Returns the status. */
async function send(
  { url }: RunningReceiver,
  change: { secret?: string; age_s?: number; body?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  const { secret = SECRET, age_s = 0 } = change;
  const signed = '{"id":"1","event":"payment.updated","data":{"status":"paid"}}';
  const timestamp_s = Math.floor(Date.now() / 1_000) - age_s;
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...signatureHeaders(signingKeys([secret]), { id: ID, timestamp_s, body: signed }),
      ...change.headers,
    },
    body: change.body ?? signed,
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends a delivery with three of the 100 bytes of its body. Resolves when the receiver has closed the connection. */
async function sendBroken({ url }: RunningReceiver): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const closed = once(socket, 'close');
  socket.on('error', () => {});
  socket.resume();
  socket.end(`POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 100\r\n\r\nabc`);
  await closed;
}

/** A new merchant with one endpoint. */
async function newEndpoint(url: string): Promise<{ shop: Shop; path: string }> {
  const shop = await Shop.open(service);
  const body = { url, events: ['*'], secret: SECRET };
  const { id } = await created(shop.post('/webhook-endpoints', body));
  return { shop, path: `/webhook-endpoints/${id}` };
}

async function change(shop: Shop, path: string, body: object): Promise<void> {
  const { status, text } = await shop.call('PUT', path, { body });
  assert.equal(status, 200, text);
}

/** The deliveries of an order by Pix and of a ping, newest first. */
async function deliveriesOf(shop: Shop, path: string): Promise<Json[]> {
  await shop.pixPayment();
  await created(shop.post(`${path}/ping`));
  await fanOutEvents(service.deps);
  await new DeliveryLoop(service.deps).runToEnd();
  return (await shop.get('/webhook-deliveries')).data;
}

for (const name of Object.keys(await receiverFragments())) {
  const language = name.replace('receiver ', '');
  const { needs } = LANGUAGES[language]!;
  const skip = missingProgram(needs, `SKIPPED the receiver in ${language}`);
  describe(`the receiver in ${language}`, { skip }, () => {
    let program: ReceiverProgram;
    let receiver: RunningReceiver;
    before(async () => {
      program = await ReceiverProgram.compile(language);
      receiver = await program.start(SECRET);
    });
    after(async () => {
      await receiver?.[Symbol.asyncDispose]();
      await program?.[Symbol.asyncDispose]();
    });

    /** Waits until the receiver has printed one line about each of these deliveries. */
    async function assertHandled(by: RunningReceiver, deliveries: readonly Json[]): Promise<void> {
      assert.deepEqual(
        deliveries.map(({ event, status }) => [event, status]),
        [
          ['payment.updated', 'succeeded'],
          ['payment.created', 'succeeded'],
          ['ping', 'succeeded'],
        ],
      );
      for (const { id, event } of deliveries) {
        await until(`${id} is handled`, () => by.handled(id).length > 0);
        const lines = by.handled(id);
        assert.equal(lines.length, 1);
        assert.ok(lines[0]!.includes(event), lines[0]);
      }
    }

    test('it accepts the deliveries of a service, and handles each', async () => {
      const { shop, path } = await newEndpoint(receiver.url);
      await assertHandled(receiver, await deliveriesOf(shop, path));
    });

    test('it handles a delivery that arrives twice once', async () => {
      assert.ok([200, 204].includes(await send(receiver)));
      assert.ok([200, 204].includes(await send(receiver)));
      await until('it is handled', () => receiver.handled(ID).length > 0);
      assert.equal(receiver.handled(ID).length, 1);
    });

    test('it refuses a changed body, an old or future timestamp, another secret, and no signature', async () => {
      assert.equal(await send(receiver, { body: '{"id":"1","event":"payment.updated","data":{}}' }), 400);
      assert.equal(await send(receiver, { age_s: 3_600 }), 400);
      assert.equal(await send(receiver, { age_s: -3_600 }), 400);
      assert.equal(await send(receiver, { secret: OTHER_SECRET }), 400);
      for (const [name, value] of [
        ['webhook-signature', ''],
        ['webhook-signature', 'v1,'],
        ['webhook-timestamp', 'now'],
        ['webhook-id', 'another'],
      ] as const) {
        assert.equal(await send(receiver, { headers: { [name]: value } }), 400, `${name}: ${value}`);
      }
    });

    test('it still answers after a request whose connection closes before its body is complete', async () => {
      await sendBroken(receiver);
      assert.equal(await send(receiver, { secret: OTHER_SECRET }), 400);
      assert.ok([200, 204].includes(await send(receiver)));
    });

    test('without a secret, it accepts nothing', async () => {
      const unsafe = await program.start('').catch(() => null);
      if (unsafe === null) return;
      await using running = unsafe;
      const body = '{"id":"1","event":"payment.updated","data":{"status":"paid"}}';
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const hmac = createHmac('sha256', '').update(`${ID}.${timestamp}.${body}`);
      const headers = { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hmac.digest('base64')}` };
      assert.equal(await send(running, { body, headers }), 400);
    });

    test('the service notes what the receiver refused', async () => {
      const { shop, path } = await newEndpoint(receiver.url);
      await change(shop, path, { secret: OTHER_SECRET });
      const answers = (await deliveriesOf(shop, path)).map(({ attempts }) =>
        attempts.map(({ response_status }: Json) => response_status),
      );
      assert.deepEqual(answers, [[400], [400], [400]]);
    });

    test('while a secret is rotated, receivers with the old and with the new one accept the deliveries', async () => {
      const { shop, path } = await newEndpoint(receiver.url);
      const { secret } = (await shop.post(`${path}/rotate-secret`)).body;
      const toOld = await deliveriesOf(shop, path);
      await assertHandled(receiver, toOld);

      await using renewed = await program.start(secret);
      await change(shop, path, { url: renewed.url });
      await assertHandled(renewed, (await deliveriesOf(shop, path)).slice(0, -toOld.length));
    });
  });
}
