import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { watchEventLoop } from '../../support/http/event-loop.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const post = (rawBody: string) => service.call('POST', '/customers', { rawBody });

describe('hostile input', () => {
  /** What this guards against takes seconds. */
  const LONGEST_STILL_MS = 500;
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
    it(`gets a 4xx and does not block the event loop: ${what}`, async () => {
      await post('{}');
      const beats = watchEventLoop();
      const { status, text: answer } = await post(text);
      const longest_ms = beats.stop();
      assert.ok(status >= 400 && status < 500, `answered ${status}`);
      assert.ok(answer.length < 256 * 1024, `the answer has ${answer.length} characters`);
      assert.ok(longest_ms < LONGEST_STILL_MS, `the event loop was blocked for ${longest_ms} ms`);
    });
  }

  it('gets a 4xx for each malformed identifier', async () => {
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

  it('finds the same object by a UUID in upper case', async () => {
    const { body } = await service.call('POST', '/customers', {
      body: { name: 'Caixa Alta', email: 'upper@example.com' },
    });
    const found = await service.call('GET', `/customers/${body.id.toUpperCase()}`);
    assert.equal(found.status, 200);
    assert.equal(found.body.id, body.id);
  });

  it('closes the connection after bytes that are not HTTP, and the service continues', async () => {
    const { port } = new URL(service.url);
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('\x16\x03\x01garbage\r\n\r\n'));
      socket.on('data', () => {});
      socket.on('close', () => resolve());
      socket.on('error', () => {});
    });
    assert.equal((await service.call('GET', '/customers')).status, 200);
  });

  it('gets a 4xx for a path that is too long', async () => {
    const response = await fetch(`${service.url}/api/v1/customers?cursor=${'a'.repeat(30_000)}`);
    assert.ok(response.status >= 400 && response.status < 500);
  });
});
