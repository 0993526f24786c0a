import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readConfig } from '../config.ts';
import { PRODUCTION, refused } from './support/processes/config-environments.ts';

describe('production', () => {
  for (const variable of ['VAULT_KEYS', 'KEY_PEPPER', 'ACQUIRER_SECRET']) {
    test(`needs ${variable}`, () => refused({ ...PRODUCTION, [variable]: '' }, variable));
  }

  test('refuses a weak secret, because it signs notifications of paid payments', () => {
    for (const ACQUIRER_SECRET of [PRODUCTION.ACQUIRER_SECRET.slice(0, 31), 's'.repeat(32)]) {
      refused({ ...PRODUCTION, ACQUIRER_SECRET }, 'ACQUIRER_SECRET');
    }
  });

  test('refuses to disable the check of certificates', () => {
    refused({ ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, 'NODE_TLS_REJECT_UNAUTHORIZED');
    readConfig({ ...PRODUCTION, NODE_TLS_REJECT_UNAUTHORIZED: '1' });
    readConfig({ NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  });

  test('connects to a database on another machine by TLS, or reports that it does not', () => {
    const remote = 'postgres://centavo:secret@db.example/centavo';
    for (const url of [
      remote,
      `${remote}?application_name=sslmode=disable`,
      'postgres://10.0.0.1/centavo',
      'postgres:///centavo?host=db.example',
      'postgres://127.0.0.1.example/centavo',
      'postgres://localhost/centavo?host=db.example',
    ]) {
      refused({ ...PRODUCTION, DATABASE_URL: url }, 'DATABASE_URL');
      assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
    }
    for (const url of [
      ...['disable', 'require', 'verify-full', 'no-verify'].map((mode) => `${remote}?sslmode=${mode}`),
      `${remote}?ssl=true`,
      'postgres://centavo@localhost/centavo',
      'postgres://centavo@LocalHost/centavo',
      'postgres://127.0.0.1:5433/centavo',
      'postgres://[::1]/centavo',
      'postgres:///centavo',
      'postgres://centavo@/centavo?host=/run/postgresql',
      'postgres://%2Frun%2Fpostgresql/centavo',
    ]) {
      assert.equal(readConfig({ ...PRODUCTION, DATABASE_URL: url }).databaseUrl, url);
    }
  });

  test('sends card numbers to the acquirer without TLS only within the machine', () => {
    for (const url of ['http://acquirer.example', 'http://10.0.0.1:9500', 'http://127.0.0.1.example']) {
      refused({ ...PRODUCTION, ACQUIRER_URL: url }, 'ACQUIRER_URL');
    }
    for (const url of ['http://127.0.0.1:9500', 'http://localhost:9500', 'http://[::1]:9500']) {
      assert.equal(readConfig({ ...PRODUCTION, ACQUIRER_URL: url }).acquirerUrl, url);
    }
    assert.equal(readConfig({ ACQUIRER_URL: 'http://10.0.0.1:9500' }).acquirerUrl, 'http://10.0.0.1:9500');
  });

  test('reports all missing variables at once', () => {
    assert.throws(() => readConfig({ PAYMENTS_ENV: 'production' }), {
      message: 'VAULT_KEYS and KEY_PEPPER must be set in production.',
    });
  });

  test('runs on the embedded Postgres and without an acquirer by default', () => {
    const { DATABASE_URL: _, ACQUIRER_URL: __, ACQUIRER_SECRET: ___, ...rest } = PRODUCTION;
    const { databaseUrl, acquirerUrl, acquirerSecret } = readConfig(rest);
    assert.deepEqual(
      { databaseUrl, acquirerUrl, acquirerSecret },
      {
        databaseUrl: null,
        acquirerUrl: null,
        acquirerSecret: null,
      },
    );
  });

  test('refuses private destinations', () =>
    refused(
      { PAYMENTS_ENV: 'production', ALLOW_PRIVATE_DESTINATIONS: 'true' },
      'ALLOW_PRIVATE_DESTINATIONS',
    ));
});
