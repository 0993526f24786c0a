import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

describe('pipelined requests on one connection', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  /** All that comes back for requests sent at once, until the server closes. */
  async function answersTo(...requests: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(requests.join(''));
    let answers = '';
    for await (const chunk of socket) answers += chunk;
    return answers;
  }
  const statuses = (answers: string) =>
    [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  const head = () => `Host: a\r\nAuthorization: Bearer ${service.merchant.apiKey}\r\n`;
  const creating = (email: string) => {
    const body = JSON.stringify({ name: 'A', email });
    return (
      `POST /api/v1/customers HTTP/1.1\r\n${head()}Content-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`
    );
  };

  it('are answered in their order', async () => {
    const answers = await answersTo(
      creating('a@example.com'),
      `GET /api/v1/nothing HTTP/1.1\r\n${head()}\r\n`,
      `GET /healthz HTTP/1.1\r\n${head()}Connection: close\r\n\r\n`,
    );
    assert.deepEqual(statuses(answers), [201, 404, 200]);
  });

  for (const [what, bytes] of [
    ['bytes of another protocol', '\x16\x03\x01\x02\r\n\r\n'],
    ['a length that is none', 'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  ] as const) {
    it(`get the answer of a valid request before ${what}, and not a 400`, async () => {
      const answers = await answersTo(creating(`${bytes.length}@example.com`), bytes);
      assert.deepEqual(statuses(answers), [201]);
      assert.match(answers, /^connection: close\r$/im);
    });
  }
});
