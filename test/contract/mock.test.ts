import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runProgram } from '../scripts/support/admin.ts';
import { type CallOptions, type Json, request } from '../support/service.ts';
import { documentedAnswers, requestExample } from './dredd/documented-answers.ts';
import { type MockProcess, startMock } from './prism/mock-process.ts';
import { tellStory } from './prism/story.ts';

const document: Json = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../generated/openapi.json'), 'utf8'),
);
const ANY_KEY = 'any';

/** Every documented answer with a request that the contract allows. */
const answers = [...documentedAnswers(document).values()].map((answer) => {
  const operation = document.paths[answer.path][answer.method.toLowerCase()];
  const parameters: Json[] = (operation.parameters ?? []).map(resolve);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const path = inPath.reduce(
    (template, { name, example }) => template.replace(`{${name}}`, encodeURIComponent(example)),
    answer.path,
  );
  const takesBody = operation.requestBody !== undefined;
  const body: Json = takesBody ? requestExample(document, answer.operationId) : undefined;
  return { ...answer, path, body };
});
const withBody = answers.filter(({ status, body }) => status.startsWith('2') && body !== undefined);

function resolve(node: Json): Json {
  const parts: string[] = node.$ref?.slice(2).split('/') ?? [];
  return parts.length === 0 ? node : parts.reduce((part: Json, key) => part[key], document);
}

/** The status of a GET with a target and headers that `fetch` would not send as they are. */
function statusOf(url: string, target: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${ANY_KEY}`;
    get(url, { path: target, headers: { authorization, ...headers } }, (answer) =>
      resolve(answer.resume().statusCode!),
    ).once('error', reject);
  });
}

describe('make mock', () => {
  let mock: MockProcess;
  before(async () => {
    mock = await startMock();
  });
  after(async () => {
    assert.equal(await mock.stop(), 0);
  });

  it('answers all requests of a client’s flow', () =>
    tellStory({ url: mock.url, apiKey: ANY_KEY, encryptedCard: 'U2VjcmV0' }));

  it('returns every documented answer when its status is requested', async () => {
    assert.ok(answers.length > 200);
    for (const { operationId, method, path, status, body } of answers) {
      const answer = await request(mock.url, ANY_KEY, method, path, {
        ...(body === undefined ? {} : { body }),
        headers: { prefer: `code=${status}` },
      });
      assert.equal(answer.status, Number(status), `${operationId} ${status}: ${answer.text}`);
    }
  });

  describe('returns the example that fits the request', () => {
    const call = async (method: string, path: string, options: CallOptions = {}) => {
      const { status, body, text } = await request(mock.url, ANY_KEY, method, path, options);
      assert.ok(status < 300, text);
      return { status, body };
    };
    const examples = [
      'order_card',
      'order_card_captured',
      'order_debit',
      'order_pix',
      'order_bank_slip',
      'order_wallet',
    ];

    for (const example of examples) {
      it(`an order by the method of the request: ${example}`, async () => {
        const asked: Json = requestExample(document, 'createOrder', example);
        const { body } = await call('POST', '/charges/orders', { body: asked });
        assert.equal(body.payment.payment_method, asked.payment.payment_method);
        assert.notEqual(body.payment.status, 'refused');
        assert.ok(body.payment[asked.payment.payment_method]);
      });
    }

    for (const example of ['recipient_company', 'recipient_individual']) {
      it(`a recipient of the kind that is sent: ${example}`, async () => {
        const asked: Json = requestExample(document, 'createRecipient', example);
        const { status, body } = await call('POST', '/recipients', { body: asked });
        assert.equal(status, 201);
        assert.equal(body.type, asked.type);
        assert.equal(body.email, asked.email);
      });
    }

    it('a payment by the answer to its order', async () => {
      for (const example of ['order_card', 'order_pix']) {
        const asked: Json = requestExample(document, 'createOrder', example);
        const { payment } = (await call('POST', '/charges/orders', { body: asked })).body;
        assert.equal(payment.payment_method, asked.payment.payment_method);
        for (const identifier of [payment.id, payment.order_code]) {
          const { body } = await call('GET', `/payments/${identifier}`);
          assert.equal(body.id, payment.id);
          assert.equal(body.payment_method, payment.payment_method);
        }
      }
    });

    it('the first if no example fits, and always that of Prefer', async () => {
      const first = await call('GET', '/payments/some-other-order');
      assert.equal(first.body.payment_method, 'credit_card');
      const body = requestExample(document, 'createOrder', 'order_pix');
      const refused = await call('POST', '/charges/orders', {
        body,
        headers: { prefer: 'example="order_refused"' },
      });
      assert.equal(refused.body.payment.status, 'refused');
    });
  });

  describe('accepts the name of an example', () => {
    const ask = async (path: string, prefer: string, body?: unknown) => {
      const answer = await fetch(`${mock.url}/api/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: 'Bearer any', 'content-type': 'application/json', prefer },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Json };
    };
    const order = requestExample(document, 'createOrder', 'order_pix');

    it('of any status', async () => {
      const reused = await ask('/charges/orders', 'example=key_reused', order);
      assert.equal(reused.status, 422);
      assert.equal(reused.body.error.code, 'idempotency_key_reused');
      const unavailable = await ask('/payments', 'example=service_unavailable');
      assert.equal(unavailable.status, 503);
    });

    it('and lists the existing names for an unknown one', async () => {
      const { status, body } = await ask('/charges/orders', 'example=order_paid', order);
      assert.equal(status, 400);
      assert.equal(body.error.code, 'unknown_example');
      assert.match(body.error.message, /^createOrder has no example order_paid\. It has 201: order_card, /);
      assert.match(
        body.error.message,
        /order_card, order_split, order_debit, order_pix, order_bank_slip, order_wallet, order_refused; 400: invalid_json; .*\.$/,
      );
      const ofStatus = await ask('/charges/orders', 'code=422, example=order_pix', order);
      assert.equal(ofStatus.status, 400);
      assert.equal(
        ofStatus.body.error.message,
        'The 422 of createOrder has no example order_pix. It has 422: invalid, installments, key_reused.',
      );
    });

    it('and lists the existing statuses for an unknown one', async () => {
      const { status, body } = await ask('/payments', 'code=418');
      assert.equal(status, 400);
      assert.equal(body.error.code, 'unknown_status');
      assert.match(body.error.message, /^listPayments has no answer 418\. It has 200, 401, .*\.$/);
    });
  });

  it('refuses an unknown field with 422 as the service does', async () => {
    assert.ok(withBody.length > 8);
    for (const { operationId, method, path, body } of withBody) {
      const answer = await request(mock.url, ANY_KEY, method, path, { body: { ...body, unheard_of: 1 } });
      // It has no 422: its violations are a 400.
      const expected = operationId === 'validateWalletSession' ? 400 : 422;
      assert.equal(answer.status, expected, `${operationId}: ${answer.text}`);
    }
  });

  const bad: [string, string, string, object][] = [
    ['an amount of nothing', 'POST', '/charges/orders', { payment: { amount: 0, payment_method: 'pix' } }],
    ['a customer without a name', 'POST', '/customers', { email: 'ana@example.com' }],
    ['a name that is a number', 'POST', '/customers', { email: 'ana@example.com', name: 1 }],
    [
      'an outcome that there is not',
      'POST',
      `/sandbox/payments/${crypto.randomUUID()}/simulate`,
      { outcome: 'won' },
    ],
  ];
  for (const [what, method, path, body] of bad) {
    it(`refuses ${what}`, async () => {
      const answer = await request(mock.url, ANY_KEY, method, path, { body });
      assert.equal(answer.status, 422, answer.text);
    });
  }

  it('refuses broken JSON with 400, another media type with 415, and a page too long with 422', async () => {
    const send = (path: string, init: RequestInit) =>
      fetch(`${mock.url}/api/v1${path}`, {
        ...init,
        headers: { authorization: 'Bearer any', ...init.headers },
      });
    const type = (value: string) => ({ 'content-type': value });
    const broken = await send('/customers', {
      method: 'POST',
      body: '{"name":',
      headers: type('application/json'),
    });
    assert.equal(broken.status, 400);
    assert.equal(((await broken.json()) as Json).error.code, 'invalid_json');
    const text = await send('/customers', { method: 'POST', body: 'Ana', headers: type('text/plain') });
    assert.equal(text.status, 415);
    assert.equal((await send('/customers?per_page=101', {})).status, 422);
  });

  it('requires a key', async () => {
    const { status, headers } = await request(mock.url, null, 'GET', '/payments');
    assert.equal(status, 401);
    assert.equal(headers.get('www-authenticate'), 'Bearer');
  });

  it('reports the violation in a header, because the body is an example', async () => {
    const { headers } = await request(mock.url, ANY_KEY, 'POST', '/customers', { body: { name: 'Ana' } });
    assert.match(headers.get('sl-violations')!, /required property 'email'/);
  });

  it('answers a path that cannot be decoded or has another host, and continues', async () => {
    const targets = [
      ...['/api/v1/customers/%ff', '/api/v1/customers/%zz', '/api/v1/recipients/%', '/api/v1/cards/a%2'],
      ...['/api/v1/payments?status=%ff', '/api/v1/payments?%zz=%', '//', '///', '//shop.example/api/v1'],
      ...['http://shop.example/api/v1/merchant', 'http://[/', '*', 'api/v1/merchant'],
    ];
    for (const target of targets) {
      const status = await statusOf(mock.url, target);
      assert.ok(status >= 200 && status < 500, `${target} was answered with ${status}`);
    }
    assert.equal((await request(mock.url, ANY_KEY, 'GET', '/merchant')).status, 200);
  });

  it('answers a request with any Connection and Accept headers, and continues', async () => {
    const chunked = { 'transfer-encoding': 'chunked' };
    for (const headers of [
      { ...chunked, trailer: 'Digest' },
      { te: 'trailers' },
      { connection: 'upgrade', upgrade: 'h2c' },
      { accept: 'text/xml' },
    ])
      assert.equal(await statusOf(mock.url, '/api/v1/merchant', headers), 200, JSON.stringify(headers));
  });

  it('reports an unknown field in any script, and continues', async () => {
    const body = { name: 'Ana', email: 'ana@example.com', '💥\n': 1 };
    const { status, headers } = await request(mock.url, ANY_KEY, 'POST', '/customers', { body });
    assert.equal(status, 422);
    assert.match(headers.get('sl-violations')!, /ud83d/);
    assert.equal((await request(mock.url, ANY_KEY, 'GET', '/merchant')).status, 200);
  });

  it('does not start on a used port, or before a server that is not the service', async () => {
    const refusal = async (...args: string[]) => {
      const program = ['scripts/mock.ts', ...args];
      const { status, stdout, stderr } = await runProgram(process.execPath, program, {});
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
      return stderr;
    };
    const { host, port } = new URL(mock.url);
    assert.equal(await refusal('--port', port), `Something else listens on ${host}.\n`);
    for (const upstream of ['127.0.0.1:3000', 'localhost:3000', 'http://127.0.0.1:3000/api/v1']) {
      assert.match(
        await refusal('--upstream', upstream),
        /^The upstream must be the root of a service such as /,
      );
    }
  });
});
