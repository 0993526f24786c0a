/** Buyers at the pages of one merchant must not take the capacity of the buyers and the requests of others. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { untilGauges } from '../../support/http/gauges.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const PAGES = 6;
const BUYERS_PER_PAGE = 10;
const BUYERS = PAGES * BUYERS_PER_PAGE;
/** Of the requests that run, three quarters may be those at one merchant's pages. */
const RUNNING_OF_A_MERCHANT = 18;
/** Of thirteen connections, two are for look-ups, and three quarters of the others may be one merchant's. */
const CONNECTIONS_OF_A_MERCHANT = 8;

let service: TestService;
before(async () => {
  // One minute: in the next, the requests of each address are counted again.
  const minute = new Date();
  service = await startTestService({
    jobs: false,
    env: { TRUSTED_PROXIES: '127.0.0.1' },
    overrides: { wall: () => new Date(minute) },
  });
});
after(() => service.stop());

/** The connections to the database that wait for a lock. */
async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

test('buyers whose payments wait for locks, at many pages of a merchant, delay no other merchant', async () => {
  const crowded = await Shop.open(service);
  const pages = await Promise.all(Array.from({ length: PAGES }, () => CheckoutPage.ofLink(crowded)));
  const buyers = Array.from({ length: BUYERS }, (_, i) => {
    const page = pages[i % PAGES]!;
    const headers = { 'x-forwarded-for': `203.0.113.${i}` };
    return {
      read: () => page.call('GET', `/${page.hash}`, { headers }),
      pay: () => page.pay(pixBody(), { headers }),
    };
  });
  // Writes the count of each address. While the rows are locked, a first request would wait for a connection of the
  // merchant, before its turn to run.
  await Promise.all(buyers.map((buyer) => buyer.read()));
  const other = await Shop.open(service);
  const otherPage = await CheckoutPage.ofLink(other);
  const [lock, watch] = [0, 1].map(() => new pg.Client({ connectionString: service.databaseUrl }));
  await Promise.all([lock!.connect(), watch!.connect()]);
  try {
    await lock!.query('begin');
    await lock!.query('select 1 from payment_links where merchant_id = $1 for update', [crowded.account]);
    let answered = 0;
    const crowd = buyers.map(async (buyer) => {
      await buyer.pay();
      answered += 1;
    });
    await untilGauges(
      service,
      'they may not use all of the capacity',
      ({ working, queued }) => working === RUNNING_OF_A_MERCHANT && working + queued === BUYERS,
    );
    await until('they wait', async () => (await waiting(watch!)) === CONNECTIONS_OF_A_MERCHANT);

    const asked = await Promise.all([
      otherPage.read(),
      otherPage.pay(pixBody()),
      other.call('GET', '/payments'),
      other.order(other.pixOrderBody()),
    ]);
    assert.deepEqual(
      asked.map(({ status }) => status),
      [200, 201, 200, 201],
    );
    assert.equal(answered, 0, 'the others had to wait for the crowd');
    assert.equal(await waiting(watch!), CONNECTIONS_OF_A_MERCHANT);

    await lock!.query('commit');
    await Promise.all(crowd);
  } finally {
    await Promise.all([lock!.end(), watch!.end()]);
  }
});
