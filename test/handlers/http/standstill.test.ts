import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

/** More than the process has connections to the database. */
const REQUESTS = 16;
/** Of the connections that are not kept for look-ups, one merchant’s. */
const SHARE = 8;

describe('requests of one merchant that wait for a locked row', () => {
  let service: TestService;
  let lock: pg.Client;
  let watch: pg.Client;
  let ours: Shop;
  let theirs: Shop;
  before(async () => {
    service = await startTestService({ jobs: false });
    lock = new pg.Client({ connectionString: service.databaseUrl });
    watch = new pg.Client({ connectionString: service.databaseUrl });
    await Promise.all([lock.connect(), watch.connect()]);
    [ours, theirs] = [await Shop.open(service), await Shop.open(service)];
  });
  after(async () => {
    await Promise.all([lock.end(), watch.end()]);
    await service.stop();
  });

  const waiting = async () => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await watch.query(sql)).rows.length;
  };

  it('leave connections to another merchant, also for its first request of a minute, and continue once the lock is released', async () => {
    const { id } = await ours.authorized();
    const customer = await ours.customer();
    const { id: other } = await theirs.pixPayment();
    await lock.query('begin');
    await lock.query('select from payments where id = $1 for update', [id]);
    const stuck = Array.from({ length: REQUESTS }, () => ours.capture(id));
    await until('they wait', async () => (await waiting()) >= SHARE);
    service.setAhead(MINUTE_MS);
    const order = await theirs.order(theirs.pixOrderBody());
    assert.equal(order.status, 201, order.text);
    assert.equal((await theirs.payment(other)).id, other);
    assert.equal((await theirs.get('/payments')).data.length, 2);
    assert.equal((await theirs.cancel(other)).status, 200);
    assert.equal((await ours.get(`/customers/${customer}`)).id, customer, 'their own look-ups continue, too');
    assert.equal(await waiting(), SHARE, 'all the time they waited');
    await lock.query('commit');
    const statuses = (await Promise.all(stuck)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`);
    assert.equal((await ours.payment(id)).status, 'paid');
  });
});
