/** `admin listen` as a developer uses it: a process of its own, a running service, and a server on this machine. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { killWithParent } from '../support/processes/kill-with-parent.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';
import { until } from '../support/until.ts';
import { Listener } from '../support/webhooks/listener.ts';
import { Receiver, verified } from '../support/webhooks/receiver.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');

/** Requests go to this service, which has no jobs. */
let service: TestService;
/** The service that is listened to. It has the same database. */
let listened: ServiceProcess;
let port: number;
const startListened = async () => {
  listened = await startServiceProcess(service, { jobs: true, env: { PORT: `${port}` } });
};
before(async () => {
  service = await startTestService({ jobs: false });
  const free = await Listener.start();
  port = free.port;
  await free[Symbol.asyncDispose]();
  await startListened();
});
after(async () => {
  await listened.kill();
  await service.stop();
});

class Listening implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly ended: Promise<readonly unknown[]>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[]) {
    const { PATH } = process.env;
    this.#child = killWithParent(
      spawn(process.execPath, ['scripts/admin.ts', 'listen', ...args], {
        cwd: ROOT,
        env: { PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, PORT: `${port}` },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
    this.#child.stdout!.setEncoding('utf8').on('data', (chunk) => (this.stdout += chunk));
    this.#child.stderr!.setEncoding('utf8').on('data', (chunk) => (this.stderr += chunk));
    this.ended = once(this.#child, 'close');
  }

  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  get secret(): string {
    return /whsec_[A-Za-z0-9+/=]+/.exec(this.stdout)![0];
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.kill('SIGKILL');
    await this.ended;
  }
}

/** A merchant whose events are forwarded from now on. */
async function open(receiver: Receiver, ...args: string[]) {
  const shop = await Shop.open(service);
  await shop.pixPayment();
  await until('its events can be read', async () => {
    const { data, pagination } = await shop.get('/events?per_page=1');
    return pagination.next_after === data[0].id;
  });
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const listening = new Listening(['--key', shop.onboarded.apiKey, '--forward', url, ...args]);
  await until('it forwards', () => listening.stdout.includes('whsec_'));
  return { shop, listening };
}

describe('admin listen', () => {
  it('forwards what happens from now on, signed like a webhook, and prints each event with its answer', async () => {
    await using receiver = await Receiver.start();
    const { shop, listening } = await open(receiver);
    await using _ = listening;
    receiver.answer = ({ body }, response) =>
      response.writeHead(body.event === 'payment.created' ? 204 : 500).end();
    const { id } = await shop.authorized();
    await until('all have arrived', () => receiver.arrivals.length === 3);
    const events = await shop.events(id);
    assert.deepEqual(
      receiver.arrivals.map((arrival) => verified(listening.secret, arrival)),
      events,
    );
    for (const { headers, body } of receiver.arrivals) {
      assert.deepEqual([headers['webhook-id'], headers['x-service-delivery']], [body.id, body.id]);
      assert.match(headers['content-type']!, /^application\/json/);
    }
    await until('all are printed', () => listening.lines.length === 5);
    const printed = listening.lines.slice(2).map((line) => line.split(/ {2,}/));
    assert.deepEqual(
      printed.map(([, status, , event, eventId]) => [status, event, eventId]),
      events.map(({ event, id: eventId }: Json) => [
        event === 'payment.created' ? '204' : '500',
        event,
        eventId,
      ]),
    );
    for (const [time, , took] of printed) assert.match(`${time} ${took}`, /^\d\d:\d\d:\d\d +\d+ ms$/);
    assert.equal(listening.stderr, '');
  });

  it('prints one JSON document a line with --json, and signs with the secret that it is given', async () => {
    await using receiver = await Receiver.start();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const { shop, listening } = await open(receiver, '--secret', secret, '--json');
    await using _ = listening;
    const { id } = await shop.pixPayment();
    await until('all are printed', () => listening.lines.length === 3);
    const [start, first] = listening.lines.map((line) => JSON.parse(line));
    assert.equal(start.secret, secret);
    const [event] = await shop.events(id);
    assert.deepEqual(
      { ...first, duration_ms: 0 },
      {
        event_id: event.id,
        event: event.event,
        object_id: id,
        response_status: 200,
        error: null,
        duration_ms: 0,
      },
    );
    verified(secret, receiver.arrivals[0]!);
  });

  it('loses no event when the service restarts', async () => {
    await using receiver = await Receiver.start();
    const { shop, listening } = await open(receiver);
    await using _ = listening;
    const first = await shop.pixPayment();
    await until('the first arrived', () => receiver.arrivals.length === 2);
    await listened.kill();
    const second = await shop.pixPayment();
    await until('the outage is reported', () => listening.stderr.includes('does not answer'));
    await startListened();
    const third = await shop.pixPayment();
    await until('all have arrived', () => receiver.arrivals.length === 6);
    assert.deepEqual(
      receiver.arrivals.map(({ body }) => body.object_id),
      [first, second, third].flatMap(({ id }) => [id, id]),
    );
    assert.match(
      listening.stderr,
      /^http:\/\/127\.0\.0\.1:\d+ does not answer \(.+\)\. .+\nhttp:\/\/.+ answers again\.\n$/,
    );
  });

  it('loses no event when the server restarts', async () => {
    const before = await Receiver.start();
    const { shop, listening } = await open(before);
    await using _ = listening;
    await shop.pixPayment();
    await until('the first arrived', () => before.arrivals.length === 2);
    const at = Number(new URL(before.url).port);
    await before[Symbol.asyncDispose]();
    const { id } = await shop.pixPayment();
    await until('the outage is reported', () => listening.stderr.includes('gave no answer'));
    await using restarted = await Receiver.start(at);
    await until('the events have arrived', () => restarted.arrivals.length === 2);
    assert.deepEqual(
      restarted.arrivals.map(({ body }) => body.id),
      (await shop.events(id)).map((event: Json) => event.id),
    );
  });

  it('goes on after an event at which the server always crashes', async () => {
    await using receiver = await Receiver.start();
    const { shop, listening } = await open(receiver);
    await using _ = listening;
    receiver.answer = ({ body }, response) =>
      body.event === 'payment.created' ? response.destroy() : response.end();
    await shop.pixPayment();
    await until('both are printed', () => listening.lines.length === 4);
    assert.match(listening.lines[2]!, / connection_closed .* payment\.created /);
    assert.match(listening.lines[3]!, / 200 .* payment\.updated /);
    assert.equal(receiver.arrivals.length, 4);
  });

  it('prints the ids of all events in one column', async () => {
    await using receiver = await Receiver.start();
    const { shop, listening } = await open(receiver);
    await using _ = listening;
    await subscribed(shop);
    await until('the charge is printed', () => / subscription\.updated /.test(listening.stdout));
    const lines = listening.lines.slice(2);
    assert.ok(lines.some((line) => line.includes(' subscription.charge_succeeded ')));
    const columns = lines.map((line) => line.search(/\S+$/));
    assert.deepEqual(new Set(columns).size, 1, listening.stdout);
  });

  it('goes on after a reset of the sandbox', async () => {
    await using receiver = await Receiver.start();
    const { shop, listening } = await open(receiver);
    await using _ = listening;
    await shop.pixPayment();
    await until('the first arrived', () => receiver.arrivals.length === 2);
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    const { id } = await shop.pixPayment();
    await until('the others arrived', () => receiver.arrivals.length === 4);
    assert.equal(receiver.arrivals[3]!.body.object_id, id);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends with status 0 and without an error at ${signal}, also while it waits for the server`, async () => {
      await using receiver = await Receiver.start();
      receiver.answer = () => {};
      const { shop, listening } = await open(receiver);
      await shop.pixPayment();
      await until('the event has arrived', () => receiver.arrivals.length === 1);
      listening.kill(signal);
      assert.deepEqual(await listening.ended, [0, null]);
      assert.equal(listening.stderr, '');
    });
  }

  it('ends with a sentence if the service refuses the key', async () => {
    const refused = new Listening(['--key', 'pay_test_wrong', '--forward', 'http://localhost:4000/']);
    assert.deepEqual(await refused.ended, [1, null]);
    assert.equal(refused.stdout, '');
    assert.match(refused.stderr, /^http:\/\/127\.0\.0\.1:\d+ answered with 401: .+\.\n$/);
  });
});
