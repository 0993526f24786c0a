/** DATABASE_URL with several hosts: a primary and a standby, which takes its place. */
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Service, startService } from '../composition/service.ts';
import { readConfig } from '../config.ts';
import { connect } from '../db/engine/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../db/engine/embedded-postgres.ts';
import { sql } from './support/db/embedded-postgres.ts';
import { startStandby } from './support/db/standby.ts';
import { send } from './support/service.ts';
import { until } from './support/until.ts';

const SETTINGS = { fsync: 'off', max_connections: '60', shared_buffers: '16MB' };
const SILENT = { info() {}, warn() {}, error() {} };

let root: string;
let primary: EmbeddedPostgres;
let standby: EmbeddedPostgres;
let url: string;
let service: Service;

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'centavo-failover-'));
  // The standby connects to the primary's socket as the user of the servers.
  await chmod(root, 0o755);
  const [first, second] = [join(root, 'a'), join(root, 'b')];
  primary = await startEmbeddedPostgres({ dataDir: first, settings: SETTINGS });
  standby = await startStandby(primary, first, second, SETTINGS);
  const hosts = [standby, primary].map(({ connection }) => encodeURIComponent(connection.host)).join();
  url = `postgres://postgres@/postgres?host=${hosts}&port=${primary.connection.port}`;
  const env = { PORT: '0', INTERNAL_PORT: '0', DATABASE_URL: url, DATA_DIR: join(root, 'data') };
  service = await startService(readConfig(env), SILENT);
});
after(async () => {
  await service?.stop();
  await standby?.stop();
  await primary?.stop();
  await rm(root, { recursive: true, force: true });
});

const call = (path: string, body: object) => send(service.url!, service.demo!.apiKey, 'POST', path, { body });
let last = 0;
/** Each has its own e-mail and code, because one whose answer was lost may exist. */
const customer = () => call('/customers', { name: 'Ana', email: `ana-${++last}@example.com` });
const pixOrder = (id: string) =>
  call('/charges/orders', {
    code: `order-${++last}`,
    mcc: '5734',
    customer: { id },
    payment: { amount: 4990, payment_method: 'pix' },
  });

const isReadOnly = async (at: string) => {
  const client = await connect(at);
  try {
    const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
    return rows[0].is_standby as boolean;
  } finally {
    await client.end();
  }
};

describe('a service whose DATABASE_URL names a standby and its primary', () => {
  test('writes to the primary, although the standby is named first', async () => {
    assert.equal(await isReadOnly(standby.url), true);
    assert.equal(await isReadOnly(url), false);
    const { status, body } = await customer();
    assert.equal(status, 201);
    assert.equal((await pixOrder(body.id)).status, 201);
  });

  test('continues with the promoted standby, which has the rows written before', async () => {
    const written = 'select 1 from orders';
    await until('the standby has the order', async () => (await sql(standby.url, written)).length === 1);
    await primary.stop();
    await sql(standby.url, 'select pg_promote()');
    await until('customers are created again', async () => (await customer()).status === 201);
    const { body } = await customer();
    await until('orders are placed again', async () => (await pixOrder(body.id)).status === 201);
    assert.ok((await sql(standby.url, written)).length > 1);
  });
});
