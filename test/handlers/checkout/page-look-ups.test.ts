/** Requests of buyers: what they read from the database, and how many one network can make. */

import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import type { Database } from '../../../db/engine/database.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { Connection } from '../../../scripts/bench/connection.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

const REQUESTS_PER_MINUTE = 6_000;
const CONNECTIONS = 16;

// The clock is in the middle of a minute, so that each test runs within one minute.
let wall = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 20_000);
const service = await startTestService({ jobs: false, overrides: { wall: () => wall } });
after(() => service.stop());
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The statements that the service sends while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const deps = service.deps as { db: Database };
  const { db } = deps;
  const recorded = recordStatements(db);
  deps.db = recorded.db;
  try {
    await work();
  } finally {
    deps.db = db;
  }
  return recorded.statements;
}

describe('a request of a buyer', () => {
  test('reads its payment, its merchant and its page once each', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const { hash } = await page.paid(pixBody());
    const statements = await statementsOf(() => page.payment(hash));
    assert.deepEqual(statements.map(tableOf), ['payments', 'merchants', 'payment_links']);
  });

  test('reads its subscription and its merchant once each', async () => {
    const page = await CheckoutPage.ofOffer(shop, recurringOffer());
    const { hash } = await page.subscribed(await page.subscriptionBody());
    const tables = (await statementsOf(() => page.subscription(hash))).map(tableOf);
    assert.equal(tables.filter((table) => table === 'subscriptions').length, 1, tables.join());
    assert.equal(tables.filter((table) => table === 'merchants').length, 1, tables.join());
  });

  test('is refused above 6,000 of its network in a minute, before the database is asked', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const { hash } = await page.paid(pixBody());
    wall = new Date(wall.getTime() + MINUTE_MS);
    const unknown = `${hash.slice(0, -4)}aaaa`;
    const path = `/api/v1/checkout/payments/${unknown}`;
    // The helper `call` would check every answer against the contract.
    const connections = Array.from({ length: CONNECTIONS }, () => new Connection(service.url));
    const reads = connections.map(async (connection) => {
      for (let left = REQUESTS_PER_MINUTE / CONNECTIONS; left > 0; left -= 1)
        assert.equal(await connection.ask({ method: 'GET', path, key: 'none' }), 404);
      connection.close();
    });
    await Promise.all(reads);
    const read = () => page.call('GET', `/payments/${unknown}`);
    let refused: Awaited<ReturnType<typeof read>> | undefined;
    const statements = await statementsOf(async () => {
      refused = await read();
    });
    assert.deepEqual([refused!.status, refused!.body.error.code], [429, 'rate_limited']);
    assert.equal(refused!.headers.get('retry-after'), '40');
    assert.deepEqual(statements, []);
    wall = new Date(wall.getTime() + MINUTE_MS);
    assert.equal((await read()).status, 404);
  });
});

/** The first table that a statement reads. */
function tableOf(sql: string): string {
  return /from (\w+)/.exec(sql)![1]!;
}
