import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import pg from 'pg';
import { startTestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

describe('a stopping service', () => {
  it('closes a keep-alive connection after its last answer', async () => {
    const service = await startTestService();
    const lock = new pg.Client({ connectionString: service.databaseUrl });
    await lock.connect();
    await lock.query('begin');
    await lock.query('lock table customers in access exclusive mode');
    const headers = { authorization: `Bearer ${service.merchant.apiKey}`, connection: 'keep-alive' };
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      httpRequest(`${service.url}/api/v1/customers`, { headers }, resolve).on('error', reject).end();
    });
    await until('the request waits for the lock', async () => {
      // Asked outside the transaction, in which what was seen once stays as it was.
      const waiting = await service.deps.db.anywhere(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    const stopped = service.stop();
    await lock.end();
    const answer = await answered;
    answer.resume();
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers.connection, 'close');
    await stopped;
  });

  it('does not wait for a connection that has sent nothing', async () => {
    const service = await startTestService({ jobs: false });
    const silent = connect(Number(new URL(service.url).port), '127.0.0.1').on('error', () => {});
    const closed = once(silent, 'close');
    await once(silent, 'connect');
    // Connections are accepted in order, so the service has the silent one when this request is answered.
    await service.call('GET', '/customers');
    const begun = performance.now();
    await service.stop();
    await closed;
    assert.ok(performance.now() - begun < 10_000);
  });
});
