import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { after, describe, it, mock } from 'node:test';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { until } from '../support/until.ts';
import { reference, SECRET } from './support/acquirer.ts';
import { customerOf, servers } from './support/servers.ts';

const SUBJECT = { operation: 'cancel', method: 'credit_card', amount_centavos: 10_000 } as const;
const REFUSAL = { code: 'do_not_honor', message: 'No.', retryable: true };
const REFUSED = JSON.stringify({ status: 'refused', ...SUBJECT, refusal: REFUSAL });
const APPROVED = { status: 'approved', ...SUBJECT, acquirer_reference: 'acq_1' };

describe('the HTTP adapter', { concurrency: 8 }, () => {
  const { cleanUp, listen } = servers();
  after(() => Promise.all(cleanUp.map((step) => step())));

  /** Asks a server that answers like this; with how often it was asked. */
  async function asking(listener: RequestListener, timeout_ms = 5_000) {
    let asked = 0;
    const url = await listen(
      createServer((request, response) => {
        asked++;
        request.resume();
        request.on('end', () => listener(request, response));
      }),
    );
    const acquirer = httpAcquirer({ url, secret: SECRET, timeout_ms });
    cleanUp.push(() => acquirer.close());
    const customer = customerOf(acquirer);
    return { customer, acquirer, asked: () => asked };
  }

  const saying =
    (status: number, body: string): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };

  it('returns a refusal', async () => {
    const { customer } = await asking(saying(200, REFUSED));
    assert.deepEqual(await customer.cancel(reference()), {
      kind: 'refused',
      ...SUBJECT,
      refusal: REFUSAL,
    });
  });

  it('returns `unknown` after the time-out, and sends once', async () => {
    const { customer, asked } = await asking(() => {}, 1_000);
    assert.deepEqual(await customer.refund(reference()), { kind: 'unknown', cause: 'time_out' });
    assert.equal(asked(), 1);
  });

  it('has a shorter time-out for inquiries than for operations that move money', async () => {
    const url = await listen(createServer(() => {}));
    const acquirer = httpAcquirer({ url, secret: SECRET, timeout_ms: 20_000, inquiryTimeout_ms: 500 });
    cleanUp.push(() => acquirer.close());
    const refund = customerOf(acquirer).refund(reference());
    const inquiry = acquirer.inquire({ reference: reference(), account: 'm', seal: true });
    const first = await Promise.race([inquiry, refund.then(() => 'the refund')]);
    assert.deepEqual(first, { kind: 'unknown', cause: 'time_out' });
  });

  it('returns `unknown` for an answer that begins in time and then is sent too slowly', async () => {
    const { customer } = await asking((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    }, 1_000);
    assert.deepEqual(await customer.cancel(reference()), { kind: 'unknown', cause: 'time_out' });
  });

  it('returns `unknown` for every status except 200, and sends once', async () => {
    for (const status of [201, 204, 302, 400, 401, 404, 409, 429, 500, 503]) {
      const { customer, asked } = await asking(saying(status, status === 204 ? '' : REFUSED));
      assert.deepEqual(await customer.cancel(reference()), { kind: 'unknown', cause: `status_${status}` });
      assert.equal(asked(), 1);
    }
  });

  it('returns `unknown` for a malformed answer', async () => {
    const bodies = [
      '',
      'nonsense',
      'null',
      '[]',
      '{}',
      '{"status":"maybe"}',
      '{"status":"approved"}',
      '{"status":"approved","acquirer_reference":7}',
      '{"status":"pending"}',
      '{"status":"refused"}',
      '{"status":"refused","refusal":{"code":"x","message":"y"}}',
      '{"status":"not_found"}',
      JSON.stringify(APPROVED), // an authorization without its code
    ];
    for (const body of bodies) {
      const { customer, acquirer } = await asking(saying(200, body));
      const outcome = await acquirer.perform(customer.authorization());
      assert.deepEqual(outcome, { kind: 'unknown', cause: 'malformed_answer' }, body);
    }
    const { customer } = await asking(saying(200, JSON.stringify(APPROVED)));
    assert.equal((await customer.pix()).kind, 'unknown'); // a charge without its location
    assert.equal((await customer.cancel(reference())).kind, 'approved');
  });

  it('returns `unknown` for an answer without its subject', async () => {
    const answers = [
      APPROVED,
      { ...APPROVED, status: 'pending' },
      { ...SUBJECT, status: 'refused', refusal: REFUSAL },
    ];
    for (const answer of answers) {
      for (const wrong of [
        { operation: undefined },
        { operation: 'network_token' },
        { operation: 'toString' },
        { method: undefined },
        { method: 'card' },
        { amount_centavos: undefined },
        { amount_centavos: null },
        { amount_centavos: '10000' },
        { amount_centavos: -1 },
        { amount_centavos: 0.5 },
      ]) {
        const body = JSON.stringify({ ...answer, ...wrong });
        const { customer } = await asking(saying(200, body));
        const unknown = { kind: 'unknown', cause: 'malformed_answer' };
        assert.deepEqual(await customer.cancel(reference()), unknown, body);
        assert.deepEqual(await customer.inquire(reference()), unknown, body);
      }
    }
  });

  it('does not delay a call behind calls without an answer', async () => {
    const SILENT = 100;
    let silent = 0;
    const { customer, acquirer } = await asking((request, response) => {
      if (request.url === '/v1/authorizations') silent += 1;
      else response.end(JSON.stringify(APPROVED));
    });
    const waiting = Array.from({ length: SILENT }, () => acquirer.perform(customer.authorization()));
    let givenUp = 0;
    for (const call of waiting) call.then(() => (givenUp += 1));
    await until('all have asked', () => silent === SILENT || givenUp > 0);
    assert.equal(givenUp, 0);
    assert.equal((await customer.cancel(reference())).kind, 'approved');
    await acquirer.close();
    for (const outcome of await Promise.all(waiting)) assert.equal(outcome.kind, 'unknown');
  });

  it('returns `unknown` for an answer that is too long', async () => {
    const body = JSON.stringify({ ...APPROVED, padding: 'x'.repeat(70_000) });
    const { customer } = await asking(saying(200, body));
    assert.equal((await customer.cancel(reference())).kind, 'unknown');
  });

  it('retries once when the connection breaks before the answer, then returns `unknown`', async () => {
    let times = 0;
    const once = await asking((request, response) => {
      if (++times === 1) request.socket.destroy();
      else response.end(JSON.stringify(APPROVED));
    });
    assert.deepEqual(await once.customer.cancel(reference()), {
      kind: 'approved',
      ...SUBJECT,
      acquirerReference: 'acq_1',
    });
    const always = await asking((request) => request.socket.destroy());
    assert.equal((await always.customer.cancel(reference())).kind, 'unknown');
    assert.equal(always.asked(), 2);
  });

  it('returns `unknown` if no server or another server listens', async () => {
    const closed = createTcpServer();
    const url = await listen(closed);
    closed.close();
    const unreachable = httpAcquirer({ url, secret: SECRET });
    cleanUp.push(() => unreachable.close());
    assert.deepEqual(await customerOf(unreachable).cancel(reference()), {
      kind: 'unknown',
      cause: 'ECONNREFUSED',
    });

    const other = await listen(createTcpServer((socket) => socket.on('error', () => {}).end('220 mail\r\n')));
    const mail = httpAcquirer({ url: other, secret: SECRET });
    cleanUp.push(() => mail.close());
    assert.equal((await customerOf(mail).cancel(reference())).kind, 'unknown');
  });

  it('never throws, for any answer', async () => {
    const acquirer = httpAcquirer({ url: 'no url', secret: SECRET });
    cleanUp.push(() => acquirer.close());
    assert.equal((await customerOf(acquirer).cancel(reference())).kind, 'unknown');
    const round: Record<string, unknown> = {};
    round.self = round;
    const broken = { ...customerOf(acquirer).authorization(), mcc: round as unknown as string };
    assert.equal((await acquirer.perform(broken)).kind, 'unknown');
  });
});

it('limits an inquiry to half the time of a command at most', async () => {
  const limits: number[] = [];
  mock.method(AbortSignal, 'timeout', (limit_ms: number) => {
    limits.push(limit_ms);
    return AbortSignal.abort();
  });
  const acquirer = httpAcquirer({ url: 'http://127.0.0.1:1', secret: SECRET });
  try {
    await customerOf(acquirer).refund(reference());
    await acquirer.inquire({ reference: reference(), account: 'm', seal: true });
  } finally {
    mock.restoreAll();
    await acquirer.close();
  }
  const [command_ms, inquiry_ms] = limits as [number, number];
  assert.equal(limits.length, 2);
  assert.ok(inquiry_ms <= command_ms / 2, `${limits}`);
});
