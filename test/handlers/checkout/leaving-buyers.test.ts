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

/** Sends requests for a path one after another on one connection, and leaves when all are being worked on. */
async function pipelineAndLeave(path: string, count: number): Promise<void> {
  const { in_flight: before } = await gaugesOf(service);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(count));
  await untilGauges(service, 'all have arrived', ({ in_flight }) => in_flight === before + count);
  socket.destroy();
}

test('a buyer who leaves while the owner of the page is looked up takes no place of the page', async () => {
  const page = await CheckoutPage.ofLink(await Shop.open(service));
  for (let round = 0; round < 4; round += 1) {
    await whileLocked('payment_links', () => pipelineAndLeave(`/l/${page.hash}`, 4));
    await untilIdle(service);
  }
  assert.equal((await fetch(`${service.url}/l/${page.hash}`)).status, 200);
});

test('requests on one connection keep their turns until their work has ended, also if their client leaves', async () => {
  const shop = await Shop.open(service);
  const { payment } = await shop.placed(shop.bankSlipOrderBody(1_000));
  const { pathname } = new URL(payment.bank_slip.pdf_url);
  await whileLocked('payments', async () => {
    await pipelineAndLeave(pathname, 4);
    await untilGauges(service, 'they run', ({ working }) => working === 4);
    await pipelineAndLeave(pathname, 4);
    assert.equal((await gaugesOf(service)).working, 8);
  });
  await untilIdle(service);
});
