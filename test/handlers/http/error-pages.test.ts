/** Pages in place of the JSON of errors: for a service that is overloaded, and for one that fails. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import express from 'express';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import { Admission } from '../../../handlers/http/admission/admission.ts';
import { byAddress } from '../../../handlers/http/admission/tickets.ts';
import { errorHandler } from '../../../handlers/http/error-handler.ts';
import { createMetrics } from '../../../handlers/http/metrics.ts';
import { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { errorPage } from '../../../web/checkout/error-page.ts';
import { SILENT } from '../../support/http/admission-requests.ts';
import { startTestService, type TestService } from '../../support/service.ts';

interface ErrorBody {
  readonly error: { readonly code: string };
}

const BROWSER = { accept: 'text/html', 'accept-language': 'en' };

async function answersOf(server: Server): Promise<Response[]> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = await Promise.all([
    fetch(`${url}/l/x`, { headers: BROWSER }),
    fetch(`${url}/l/x`, { headers: { accept: 'application/json' } }),
    fetch(`${url}/api/v1/checkout/x`, { headers: BROWSER }),
  ]);
  server.close();
  return answers;
}

async function assertPage(answer: Response): Promise<void> {
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('retry-after'), '5');
  const text = await answer.text();
  assert.match(text, /The page could not be loaded\./);
  const [, style] = /<style>(.*)<\/style>/.exec(text)!;
  const hash = createHash('sha256').update(style!).digest('base64');
  const policy = answer.headers.get('content-security-policy')!;
  assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}'; `), policy);
}

test('a buyer gets a page from a service that is overloaded, and programs get JSON', async () => {
  const admission = new Admission({
    limit: 0,
    upstreamCalls: new UpstreamCalls(),
    metrics: createMetrics(),
    log: SILENT,
    pageOf: errorPage,
  });
  const server = createServer((request, response) =>
    admission.admit(request, response, byAddress(request), () => assert.fail('it was admitted')),
  );
  const [page, ...others] = await answersOf(server);
  assert.equal(page!.status, 503);
  assert.equal(page!.headers.get('cache-control'), 'no-store');
  assert.ok(page!.headers.has('x-request-id'));
  await assertPage(page!);
  for (const other of others) {
    assert.equal(other.status, 503);
    assert.equal(((await other.json()) as ErrorBody).error.code, 'overloaded');
  }
});

test('a buyer gets a page from a service that fails, and programs get JSON', async () => {
  const app = express();
  app.use(() => {
    throw new Error('failed');
  });
  app.use(errorHandler(SILENT, errorPage));
  const [page, ...others] = await answersOf(createServer(app));
  assert.equal(page!.status, 500);
  await assertPage(page!);
  for (const other of others) assert.equal(((await other.json()) as ErrorBody).error.code, 'internal_error');
});

test('a buyer gets a page while the database is not reachable, and programs get a 503', async () => {
  const app = express();
  app.use(() => {
    throw new DatabaseUnavailable(new Error('lost'));
  });
  const levels: string[] = [];
  const log = { ...SILENT, warn: () => levels.push('warn'), error: () => levels.push('error') };
  app.use(errorHandler(log, errorPage));
  const [page, ...others] = await answersOf(createServer(app));
  assert.equal(page!.status, 503);
  await assertPage(page!);
  for (const other of others) {
    assert.deepEqual([other.status, other.headers.get('retry-after')], [503, '1']);
    assert.equal(((await other.json()) as ErrorBody).error.code, 'service_unavailable');
  }
  assert.deepEqual(levels, ['warn', 'warn', 'warn']);
});

describe('a request of a buyer that cannot be read', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ jobs: false });
  });
  after(() => service.stop());

  const TYPE = 'application/x-www-form-urlencoded';
  const forms: Readonly<Record<string, [status: number, body: string, type: string]>> = {
    'has more than 32 KB': [413, `name=${'x'.repeat(40_000)}`, TYPE],
    'has more than 40 fields': [413, 'a=1&'.repeat(41), TYPE],
    'has another character set': [415, 'name=x', `${TYPE}; charset=utf-16`],
  };
  const post = (path: string, [, body, type]: readonly [number, string, string], accept = 'text/html') =>
    fetch(service.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': type, accept, 'accept-language': 'en' },
    });

  for (const [what, form] of Object.entries(forms)) {
    test(`because its form ${what} gets a page that says so`, async () => {
      const answer = await post('/l/x', form);
      const text = await answer.text();
      assert.equal(answer.status, form[0]);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('retry-after'), null);
      assert.match(
        text,
        /The form could not be read\. Go back, check the fields and send it again\. Nothing was/,
      );
      assert.doesNotMatch(text, /http-equiv="refresh"/);
    });
  }

  test('because of its address gets a page that says so', async () => {
    for (const [path, language, title] of [
      ['/l/abc%', 'en', 'Page not found'],
      ['/p/%E0%A4%A', 'pt-BR', 'Página não encontrada'],
    ] as const) {
      const headers = { accept: 'text/html', 'accept-language': language };
      const answer = await fetch(service.url + path, { headers });
      const text = await answer.text();
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [400, null]);
      assert.ok(text.includes(`<h1>${title}</h1>`), text);
      assert.doesNotMatch(text, /http-equiv="refresh"/);
    }
  });

  test('gets JSON if it is a program or calls the API', async () => {
    const form = forms['has more than 32 KB']!;
    const ofProgram = await post('/l/x', form, 'application/json');
    assert.equal(((await ofProgram.json()) as ErrorBody).error.code, 'payload_too_large');
    const ofApi = await post('/api/v1/checkout/x/payments', form);
    assert.match(ofApi.headers.get('content-type')!, /^application\/json/);
  });
});
