import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { httpSandboxControl } from '../../gateway/http-sandbox-control.ts';
import { isSigned, signedRequest } from '../../gateway/signature.ts';
import { Customer, NOON, reference, SECRET } from './support/acquirer.ts';

const REFUSED = JSON.stringify({
  status: 'refused',
  refusal: { code: 'do_not_honor', message: 'No.', retryable: true },
});
const APPROVED = { status: 'approved', acquirer_reference: 'acq_1' };

describe('the HTTP adapter', { concurrency: 8 }, () => {
  const cleanUp: (() => unknown)[] = [];
  after(() => Promise.all(cleanUp.map((step) => step())));

  async function listen(server: ReturnType<typeof createServer | typeof createTcpServer>): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUp.push(() => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

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

  function customerOf(acquirer: ReturnType<typeof httpAcquirer>): Customer {
    return new Customer({ acquirer } as unknown as ConstructorParameters<typeof Customer>[0]);
  }

  const saying =
    (status: number, body: string): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    };

  it('sends each operation signed, in the wire’s words', async () => {
    const seen: { path: string; body: Record<string, unknown> }[] = [];
    const url = await listen(
      createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks);
        const path = request.url ?? '';
        assert.ok(
          isSigned(SECRET, request.headers['acquirer-signature'], signedRequest(path, body), Date.now()),
        );
        seen.push({ path, body: JSON.parse(body.toString()) });
        response.end(REFUSED);
      }),
    );
    const acquirer = httpAcquirer({ url: () => url, secret: SECRET });
    cleanUp.push(() => acquirer.close());
    const customer = customerOf(acquirer);
    const asked = customer.authorization('4242424242424242');
    const [payment, ref] = [reference(), reference()];
    await acquirer.authorizeCard(asked);
    await customer.capture(payment, 900, ref);
    await customer.cancel(payment, ref);
    await customer.refund(payment, 300, ref);
    await customer.pix(5_000, ref);
    const card = { number: '4242424242424242', expMonth: '12', expYear: '2032', cardId: 'c1' };
    await acquirer.requestNetworkToken({
      reference: ref,
      account: customer.account,
      requestedAt: NOON,
      card,
    });
    await customer.inquire(ref, true);

    const common = { reference: ref, account: customer.account, requested_at: NOON.toISOString() };
    const buyer = { id: customer.customerId, name: 'Maria Silva', document: null };
    assert.deepEqual(seen, [
      {
        path: '/v1/authorizations',
        body: {
          ...common,
          reference: asked.reference,
          amount_centavos: 10_000,
          capture: false,
          installments: 1,
          mcc: '5734',
          statement_descriptor: null,
          customer: buyer,
          card: {
            id: customer.cardId,
            number: '4242424242424242',
            holder: 'MARIA SILVA',
            exp_month: '12',
            exp_year: '2032',
            security_code: '123',
          },
        },
      },
      { path: '/v1/captures', body: { ...common, payment_reference: payment, amount_centavos: 900 } },
      { path: '/v1/cancellations', body: { ...common, payment_reference: payment } },
      { path: '/v1/refunds', body: { ...common, payment_reference: payment, amount_centavos: 300 } },
      {
        path: '/v1/pix-charges',
        body: {
          ...common,
          txid: ref,
          amount_centavos: 5_000,
          expires_at: '2046-03-10T16:00:00.000Z',
          customer: buyer,
        },
      },
      {
        path: '/v1/network-tokens',
        body: {
          ...common,
          card: { id: 'c1', number: '4242424242424242', exp_month: '12', exp_year: '2032' },
        },
      },
      { path: '/v1/inquiries', body: { reference: ref, account: customer.account, seal: true } },
    ]);
  });

  it('passes a refusal on', async () => {
    const { customer } = await asking(saying(200, REFUSED));
    assert.deepEqual(await customer.cancel(reference()), {
      kind: 'refused',
      refusal: { code: 'do_not_honor', message: 'No.', retryable: true },
    });
  });

  it('is `unknown` after the time-out, and asks once', async () => {
    const { customer, asked } = await asking(() => {}, 1_000);
    assert.deepEqual(await customer.refund(reference()), { kind: 'unknown', cause: 'time_out' });
    assert.equal(asked(), 1);
  });

  it('is `unknown` when the answer begins in time and then drips', async () => {
    const { customer } = await asking((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    }, 1_000);
    assert.deepEqual(await customer.cancel(reference()), { kind: 'unknown', cause: 'time_out' });
  });

  it('is `unknown` for every status but 200, and asks once', async () => {
    for (const status of [201, 204, 302, 400, 401, 404, 409, 429, 500, 503]) {
      const { customer, asked } = await asking(saying(status, status === 204 ? '' : REFUSED));
      assert.deepEqual(await customer.cancel(reference()), { kind: 'unknown', cause: `status_${status}` });
      assert.equal(asked(), 1);
    }
  });

  it('is `unknown` for an answer that makes no sense', async () => {
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
      const told = await acquirer.authorizeCard(customer.authorization());
      assert.deepEqual(told, { kind: 'unknown', cause: 'malformed_answer' }, body);
    }
    const { customer } = await asking(saying(200, JSON.stringify(APPROVED)));
    assert.equal((await customer.pix()).kind, 'unknown'); // a charge without its location
    assert.equal((await customer.cancel(reference())).kind, 'approved');
  });

  it('is `unknown` for an answer that is too long', async () => {
    const body = JSON.stringify({ ...APPROVED, padding: 'x'.repeat(70_000) });
    const { customer } = await asking(saying(200, body));
    assert.equal((await customer.cancel(reference())).kind, 'unknown');
  });

  it('asks once more when the connection breaks before the answer, then is `unknown`', async () => {
    let times = 0;
    const once = await asking((request, response) => {
      if (++times === 1) request.socket.destroy();
      else response.end(JSON.stringify(APPROVED));
    });
    assert.deepEqual(await once.customer.cancel(reference()), {
      kind: 'approved',
      acquirerReference: 'acq_1',
    });
    const always = await asking((request) => request.socket.destroy());
    assert.equal((await always.customer.cancel(reference())).kind, 'unknown');
    assert.equal(always.asked(), 2);
  });

  it('is `unknown` where nobody listens, or something else does', async () => {
    const closed = createTcpServer();
    const url = await listen(closed);
    closed.close();
    const nobody = httpAcquirer({ url, secret: SECRET });
    cleanUp.push(() => nobody.close());
    assert.deepEqual(await customerOf(nobody).cancel(reference()), {
      kind: 'unknown',
      cause: 'ECONNREFUSED',
    });

    const other = await listen(createTcpServer((socket) => socket.on('error', () => {}).end('220 mail\r\n')));
    const mail = httpAcquirer({ url: other, secret: SECRET });
    cleanUp.push(() => mail.close());
    assert.equal((await customerOf(mail).cancel(reference())).kind, 'unknown');
  });

  it('never throws, whatever it is given', async () => {
    const acquirer = httpAcquirer({ url: 'no url', secret: SECRET });
    cleanUp.push(() => acquirer.close());
    assert.equal((await customerOf(acquirer).cancel(reference())).kind, 'unknown');
    const round: Record<string, unknown> = {};
    round.self = round;
    const broken = { ...customerOf(acquirer).authorization(), mcc: round as unknown as string };
    assert.equal((await acquirer.authorizeCard(broken)).kind, 'unknown');
  });

  it('of the sandbox’s control throws a sentence when there is no usable answer', async () => {
    const url = await listen(createServer((_, response) => response.writeHead(500).end('{}')));
    const control = httpSandboxControl({ url, secret: SECRET });
    cleanUp.push(() => control.close());
    await assert.rejects(control.nextDue('a1'), /^Error: The acquirer's sandbox answered with status 500\.$/);
  });
});
