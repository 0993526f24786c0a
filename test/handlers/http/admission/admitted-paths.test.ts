import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { SIGNATURE_HEADER, sign } from '../../../../gateway/signature.ts';
import { localSecrets } from '../../../../services/vault/local-secrets.ts';
import { untilGauges, untilIdle } from '../../../support/http/gauges.ts';
import { notification } from '../../../support/payments/notifications.ts';
import { startTestService, type TestService } from '../../../support/service.ts';

describe('a service whose only ticket is held', () => {
  let service: TestService;
  let lock: pg.Client;
  let held: Promise<unknown>;
  before(async () => {
    service = await startTestService({ jobs: false, env: { MAX_IN_FLIGHT: '1' } });
    lock = new pg.Client({ connectionString: service.databaseUrl });
    await lock.connect();
    assert.equal((await service.call('GET', '/customers')).status, 200);
    await untilIdle(service);
    await lock.query('begin');
    await lock.query('lock table customers in access exclusive mode');
    held = service.call('GET', '/customers');
    await untilGauges(service, 'the ticket is held', ({ in_flight }) => in_flight === 1);
  });
  after(async () => {
    await lock.query('rollback');
    await held;
    await lock.end();
    await service.stop();
  });

  async function assertRefused(path: string, request: RequestInit = {}): Promise<void> {
    const answer = await fetch(`${service.url}${path}`, request);
    assert.equal(answer.status, 503, path);
    assert.equal(answer.headers.get('retry-after'), '1');
    assert.match(answer.headers.get('x-request-id') ?? '', /./);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'overloaded');
  }

  it('refuses operations with 503 and Retry-After', async () => {
    await assertRefused('/api/v1/customers', {
      headers: { authorization: `Bearer ${service.merchant.apiKey}` },
    });
    await assertRefused('/api/v1/customers');
  });

  for (const path of ['/docs', '/openapi.json', '/lib/centavo.js', '/nothing']) {
    it(`refuses ${path} with 503 and Retry-After`, () => assertRefused(path));
  }

  it('refuses a notification of the acquirer with 503 and Retry-After', async () => {
    const { acquirerSecret } = await localSecrets(service.dataDir);
    const { merchantId } = service.merchant.merchant;
    const body = JSON.stringify(notification(merchantId, 'reference', 'pix.paid'));
    const headers = { [SIGNATURE_HEADER]: sign(acquirerSecret, Date.now(), body) };
    await assertRefused('/gateway/notifications', { method: 'POST', headers, body });
  });

  it('answers a notification whose signature is wrong, and health checks', async () => {
    const forged = await fetch(`${service.url}/gateway/notifications`, { method: 'POST', body: '{}' });
    assert.equal(forged.status, 401);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
    assert.equal((await fetch(`${service.internalUrl}/metrics`)).status, 200);
  });
});
