/** A read of a subscription's cycles must cost the same after ten years of weekly charges as after a month. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import type { Queryable, Tx } from '../../../db/engine/database.ts';
import { findOthersOfCycle } from '../../../db/payments/payments.ts';
import { listInvoices } from '../../../db/subscriptions/invoices.ts';
import { findPaymentsOfCycles } from '../../../db/subscriptions/subscription-payments.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import { addPaidCycles } from '../../../scripts/bench/subscriptions/rows.ts';
import { rowsRead } from '../../support/db/rows-read.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const CYCLES = 500;
const PAGE = 5;

const service = await startTestService({ jobs: false });
const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 1 });
let client: pg.PoolClient;
let scope: MerchantScope;
let subscriptionId: string;
before(async () => {
  const shop = await Shop.open(service);
  subscriptionId = (await subscribed(shop)).id;
  await addPaidCycles(pool, subscriptionId, CYCLES);
  client = await pool.connect();
  await client.query('analyze payments, subscription_invoices');
  const { rows } = await client.query('select slot, merchant_id from subscriptions where id = $1', [
    subscriptionId,
  ]);
  scope = { slot: rows[0].slot, merchantId: rows[0].merchant_id };
});
after(async () => {
  client.release();
  await pool.end();
  await service.stop();
});

const page = { perPage: PAGE, after: null, createdFrom: null, createdBefore: null };
const READS: [what: string, ask: (q: Queryable) => Promise<unknown>][] = [
  ['a page of its invoices', (q) => listInvoices(q, scope, subscriptionId, page)],
  [
    'the payments of a page of its invoices',
    (q) => findPaymentsOfCycles(q, scope, subscriptionId, [500, 499, 498, 497, 496]),
  ],
  [
    'the other payments of a cycle that is being paid',
    (q) => findOthersOfCycle(q as Tx, scope, { id: subscriptionId, subscriptionId, cycle: 250 }),
  ],
];

describe(`a subscription with ${CYCLES} paid cycles`, () => {
  for (const [what, ask] of READS) {
    test(`a read of ${what} takes no more rows than it needs`, async () => {
      const [most = 0] = await rowsRead(client, ask);
      assert.ok(most > 0 && most <= PAGE + 1, `${most} rows were read in one step`);
    });
  }
});
