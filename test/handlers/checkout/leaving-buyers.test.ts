/** Buyers who leave before a page is answered: their requests hold what they hold until their work has ended. */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { gaugesOf, untilGauges, untilIdle } from '../../support/http/gauges.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

/** Of them, one address may hold 9 tickets at once without a key, and 6 at one page. */
const TICKETS = 16;

let service: TestService;
let lock: pg.Client;
before(async () => {
  service = await startTestService({ jobs: false, env: { MAX_IN_FLIGHT: String(TICKETS) } });
  lock = new pg.Client({ connectionString: service.databaseUrl });
  await lock.connect();
});
after(async () => {
  await lock.end();
  await service.stop();
});

async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await lock.query('begin');
  await lock.query(`lock table ${table} in access exclusive mode`);
  try {
    await work();
  } finally {
    await lock.query('rollback');
  }
}

/** Sends requests for a path, `each` of them on each connection, and leaves when all are being worked on. */
async function sendAndLeave(
  path: string,
  { connections, each }: { readonly connections: number; readonly each: number },
): Promise<void> {
  const { in_flight: before } = await gaugesOf(service);
  const sockets = Array.from({ length: connections }, () =>
    connect(Number(new URL(service.url).port), '127.0.0.1'),
  );
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(each));
  const arrived = before + connections * each;
  await untilGauges(service, 'all have arrived', ({ in_flight }) => in_flight === arrived);
  for (const socket of sockets) socket.destroy();
}

for (const [how, places] of [
  ['on connections of their own', { connections: 4, each: 1 }],
  ['on one connection', { connections: 1, each: 4 }],
] as const) {
  test(`buyers who leave while the owner of the page is looked up take no places of the page: ${how}`, async () => {
    const { hash } = await CheckoutPage.ofLink(await Shop.open(service));
    for (let round = 0; round < 4; round += 1) {
      await whileLocked('payment_links', () => sendAndLeave(`/l/${hash}`, places));
      await untilIdle(service);
    }
    assert.equal((await fetch(`${service.url}/l/${hash}`)).status, 200);
  });

  test(`requests keep their turns until their work has ended, also if their clients leave: ${how}`, async () => {
    const shop = await Shop.open(service);
    const { payment } = await shop.placed(shop.bankSlipOrderBody(1_000));
    const { pathname } = new URL(payment.bank_slip.pdf_url);
    await whileLocked('payments', async () => {
      await sendAndLeave(pathname, places);
      await untilGauges(service, 'they run', ({ working }) => working === 4);
      await sendAndLeave(pathname, places);
      await untilGauges(service, 'these run too', ({ working }) => working === 8);
    });
    await untilIdle(service);
  });
}
