/** Pages in place of the JSON of errors: for a service that is overloaded, and for one that fails. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from 'express';
import { Admission } from '../../../handlers/http/admission/admission.ts';
import { byAddress } from '../../../handlers/http/admission/tickets.ts';
import { errorHandler } from '../../../handlers/http/error-handler.ts';
import { createMetrics } from '../../../handlers/http/metrics.ts';
import { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { unavailablePage } from '../../../web/checkout/unavailable-page.ts';
import { SILENT } from '../../support/http/admission-requests.ts';

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
    pageOf: unavailablePage,
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
  app.use(errorHandler(SILENT, unavailablePage));
  const [page, ...others] = await answersOf(createServer(app));
  assert.equal(page!.status, 500);
  await assertPage(page!);
  for (const other of others) assert.equal(((await other.json()) as ErrorBody).error.code, 'internal_error');
});
