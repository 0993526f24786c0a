import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const post = (rawBody: string | Buffer, headers: Record<string, string> = {}) =>
  service.call('POST', '/customers', { rawBody, headers });

const ANA = JSON.stringify({ name: 'Ana Souza', email: 'ana@example.com' });

describe('every answer', () => {
  it('carries a request id: the caller’s, when it is a sane one, else a new one', async () => {
    const given = await service.call('GET', '/customers', { headers: { 'x-request-id': 'abc-123' } });
    assert.equal(given.headers.get('x-request-id'), 'abc-123');
    const strange = await service.call('GET', '/customers', { headers: { 'x-request-id': 'a b<script>' } });
    assert.match(strange.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    const refused = await fetch(`${service.url}/api/v1/nothing`);
    assert.match(refused.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
    assert.ok(service.log.some((line) => line.fields.request_id === 'abc-123'));
  });

  it('is the same to HEAD, without its body', async () => {
    const headers = { authorization: `Bearer ${service.merchant.apiKey}` };
    const answer = await fetch(`${service.url}/api/v1/merchant`, { method: 'HEAD', headers });
    assert.equal(answer.status, 200);
    assert.ok(Number(answer.headers.get('content-length')) > 100);
    assert.equal(await answer.text(), '');
    assert.match((await fetch(`${service.url}/healthz`)).headers.get('x-request-id')!, /^[0-9a-f-]{36}$/);
  });

  it('carries security headers and is kept by no cache', async () => {
    const { headers } = await service.call('GET', '/customers');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-powered-by'), null);
  });
});

describe('404 and 405', () => {
  it('404 in the envelope for a path that does not exist', async () => {
    for (const path of ['/nothing', '/customers/a/b/c', '/Customers', '/']) {
      const response = await fetch(`${service.url}/api/v1${path}`);
      assert.equal(response.status, 404, path);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'not_found');
    }
    assert.equal((await fetch(`${service.url}/api/v2/customers`)).status, 404);
  });

  it('405 with Allow for another method of a known path, whoever asks', async () => {
    const response = await fetch(`${service.url}/api/v1/customers`, { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.deepEqual(response.headers.get('allow')!.split(', ').sort(), ['GET', 'POST']);
    const one = await fetch(`${service.url}/api/v1/customers/abc`, { method: 'POST' });
    assert.equal(one.status, 405);
    assert.equal(one.headers.get('allow'), 'GET, PUT');
  });
});

describe('400', () => {
  for (const [what, text] of [
    ['a cut-off object', '{"name": "Ana"'],
    ['a bare word', 'name'],
    ['a trailing comma', '{"name": "Ana",}'],
    ['nothing at all', ''],
    ['two documents', '{} {}'],
  ] as const) {
    it(`invalid_json for ${what}`, async () => {
      const { status, body } = await post(text);
      assert.equal(status, 400);
      assert.equal(body.error.code, 'invalid_json');
    });
  }

  it('invalid_json for bytes that are not UTF-8', async () => {
    const { status, body } = await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]));
    assert.equal(status, 400);
    assert.equal(body.error.code, 'invalid_json');
  });

  it('invalid_json for nesting that nobody needs, at once', async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const { status } = await post(deep);
    assert.equal(status, 400);
    assert.equal((await post('['.repeat(100_000))).status, 400);
  });

  it('says nothing of the body in its message', async () => {
    const { text } = await post('{"number": 4242424242424242, oops');
    assert.ok(!text.includes('4242'));
  });
});

describe('413', () => {
  it('for an announced length over 256 KiB, before the body is sent', async () => {
    const answer = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${service.url}/api/v1/customers`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.merchant.apiKey}`,
          'content-type': 'application/json',
          'content-length': 256 * 1024 + 1,
        },
      });
      request.on('response', (response) => {
        resolve(response.statusCode!);
        request.destroy();
      });
      request.on('error', reject);
      request.flushHeaders();
    });
    assert.equal(answer, 413);
  });

  it('for a body that turns out longer, sent in chunks', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const request = httpRequest(`${service.url}/api/v1/customers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.merchant.apiKey}`, 'content-type': 'application/json' },
      });
      request.on('response', (response) => resolve(response.statusCode!));
      request.on('error', reject);
      request.end(`{"name":"${'a'.repeat(300 * 1024)}"}`);
    });
    assert.equal(status, 413);
  });

  it('not for exactly 256 KiB', async () => {
    const filler = 'a'.repeat(256 * 1024 - '{"name":""}'.length);
    const { status } = await post(`{"name":"${filler}"}`);
    assert.equal(status, 422);
  });
});

describe('415', () => {
  for (const [what, headers] of [
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a JSON patch', { 'content-type': 'application/merge-patch+json' }],
    ['another charset', { 'content-type': 'application/json; charset=latin1' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
  ] as [string, Record<string, string>][]) {
    it(`for ${what}`, async () => {
      const { status, body } = await post(ANA, headers);
      assert.equal(status, 415);
      assert.equal(body.error.code, 'unsupported_media_type');
    });
  }

  it('not for JSON that names its charset', async () => {
    const body = JSON.stringify({ name: 'Ana Souza', email: 'charset@example.com' });
    const { status } = await post(body, { 'content-type': 'Application/JSON; charset="UTF-8"' });
    assert.equal(status, 201);
  });
});

describe('422', () => {
  it('reports every violation under its dotted path', async () => {
    const { status, body } = await service.call('POST', '/customers', {
      body: {
        name: '',
        email: 'nobody',
        documents: [{ type: 'cpf', value: '11111111111' }, { type: 'rg' }],
        addresses: [{ type: 'billing', state: 'SPX' }],
        extra: 1,
        metadata: { key: 5 },
      },
    });
    assert.equal(status, 422);
    const paths = Object.keys(body.errors);
    for (const path of [
      'name',
      'email',
      'documents.0.value',
      'documents.1.type',
      'documents.1.value',
      'addresses.0.state',
      'addresses.0.line_1',
      'extra',
      'metadata.key',
    ]) {
      assert.ok(paths.includes(path), `${path} is missing in ${paths}`);
    }
    for (const texts of Object.values<string[]>(body.errors)) {
      for (const text of texts) assert.match(text, /^[A-Z].*\.$/);
    }
  });

  it('names the body where there is none, and where it is no object', async () => {
    const none = await service.call('POST', '/customers', {});
    assert.equal(none.status, 422);
    assert.deepEqual(Object.keys(none.body.errors), ['body']);
    for (const text of ['[]', '"text"', '5', 'null', 'true']) {
      const { status, body } = await post(text);
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(body.errors), ['body'], text);
    }
  });

  it('refuses text that cannot be stored, by its path', async () => {
    const { status, body } = await post(
      '{"name":"a\\u0000b","email":"x@example.com","metadata":{"k":"\\ud800"}}',
    );
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).sort(), ['metadata.k', 'name']);
  });

  it('refuses keys that mean something to JavaScript', async () => {
    const own = await post('{"name":"Ana","email":"p@example.com","__proto__":{"admin":true}}');
    assert.equal(own.status, 422);
    const meta = await post('{"name":"Ana","email":"p@example.com","metadata":{"__proto__":"x"}}');
    assert.ok([201, 422].includes(meta.status));
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  it('refuses query parameters that are unknown, doubled or out of bounds', async () => {
    for (const [query, path] of [
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['per_page=ten', 'per_page'],
      ['per_page=1e3', 'per_page'],
      ['per_page=5&per_page=6', 'per_page'],
      ['colour=red', 'colour'],
      ['cursor=nonsense', 'cursor'],
      ['created_from=2024-02-30', 'created_from'],
    ] as const) {
      const { status, body } = await service.call('GET', `/customers?${query}`);
      assert.equal(status, 422, query);
      assert.ok(path in body.errors, `${query}: ${JSON.stringify(body.errors)}`);
    }
  });
});

describe('hostile input', () => {
  const LIMIT_MS = 50;
  const HOSTILE: [string, string][] = [
    ['an e-mail made to backtrack', `{"name":"a","email":"${'a@'.repeat(60_000)}"}`],
    ['a long run before the at', `{"name":"a","email":"${'a.'.repeat(90_000)}@x"}`],
    ['a huge number', '{"name":1e400,"email":"a@example.com"}'],
    ['a number of a thousand digits', `{"name":${'9'.repeat(1000)},"email":"a@example.com"}`],
    ['15,000 unknown fields', `{${Array.from({ length: 15_000 }, (_, i) => `"f${i}":1`).join(',')}}`],
    ['an array of 60,000 documents', `{"documents":[${'{},'.repeat(60_000)}{}]}`],
    ['an array just within the limit', `{"documents":[${'{},'.repeat(1_400)}{}]}`],
    [
      '20,000 keys of metadata',
      `{"metadata":{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join(',')}}}`,
    ],
    ['a date that does not exist', '{"name":"a","email":"a@example.com","birthday":"2024-02-30"}'],
  ];

  for (const [what, text] of HOSTILE) {
    it(`${what}: a 4xx, and the loop goes on`, async () => {
      await post('{}');
      let longest_ms = 0;
      let last = performance.now();
      const beat = setInterval(() => {
        longest_ms = Math.max(longest_ms, performance.now() - last);
        last = performance.now();
      }, 5);
      const started = performance.now();
      const { status, text: answer } = await post(text);
      const took_ms = performance.now() - started;
      clearInterval(beat);
      assert.ok(status >= 400 && status < 500, `answered ${status}`);
      assert.ok(answer.length < 256 * 1024, `the answer has ${answer.length} characters`);
      // Generous to a busy machine: what this guards against takes seconds.
      assert.ok(
        longest_ms < LIMIT_MS * 20,
        `the loop stood still for ${longest_ms} ms (answer after ${took_ms} ms)`,
      );
    });
  }

  it('identifiers that are none: a 4xx each', async () => {
    const nasty = [
      '%00',
      '%',
      '%E0%A4%A',
      "';drop table payments;--",
      '..%2f..%2fetc',
      'a'.repeat(4_000),
      '%F0%9F%92%B8',
      '-1',
      'NaN',
      '{id}',
    ];
    for (const id of nasty) {
      for (const path of ['/payments/', '/customers/', '/recipients/', '/cards/', '/events/']) {
        const { status } = await service.call('GET', `${path}${id}`);
        assert.ok(status >= 400 && status < 500, `${path}${id} answered ${status}`);
      }
    }
  });

  it('UUIDs in upper case name the same thing', async () => {
    const { body } = await service.call('POST', '/customers', {
      body: { name: 'Caixa Alta', email: 'upper@example.com' },
    });
    const found = await service.call('GET', `/customers/${body.id.toUpperCase()}`);
    assert.equal(found.status, 200);
    assert.equal(found.body.id, body.id);
  });

  it('bytes that are no HTTP: the connection is closed, the service lives', async () => {
    const { port } = new URL(service.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('\x16\x03\x01garbage\r\n\r\n'));
      socket.on('data', () => {});
      socket.on('close', () => resolve());
      socket.on('error', () => {});
    });
    assert.equal((await service.call('GET', '/customers')).status, 200);
  });

  it('a path longer than anybody needs: a 4xx', async () => {
    const response = await fetch(`${service.url}/api/v1/customers?cursor=${'a'.repeat(30_000)}`);
    assert.ok(response.status >= 400 && response.status < 500);
  });
});
