import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { listPlacedOrders, type OrderFilter } from '../../../db/orders/placed-orders.ts';
import { paymentStatusesOf } from '../../../domain/orders/order-status.ts';
import { clientWithMerchant } from '../../support/db/bare-client.ts';
import { rowsRead } from '../../support/db/rows-read.ts';

const ORDERS = 10_000;
/**
 * Of each kind of payment status that a page may merge, one page and a row; twice, as each row is joined to its order.
 */
const MOST_ROWS = 250;

const { client, scope } = await clientWithMerchant();
before(async () => {
  await client.query(`
    insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, created_at)
    select slot, merchant_id, gen_random_uuid(), 'code-' || n, id, '5734', 100,
           timestamptz '2026-01-01' + n * interval '1 minute'
      from customers, generate_series(1, ${ORDERS}) n where name = 'buyer';
    insert into payments (slot, merchant_id, id, hash, order_id, order_code, customer_id, status, method, amount_centavos,
                          captured_centavos, reference, mcc, details, history, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), code, id, code, customer_id, status, 'pix', 100,
           case status when 'paid' then 100 else 0 end, code, '5734', jsonb_build_object('txid', code, 'expiresAt', created_at),
           jsonb_build_array(jsonb_build_object('status', status, 'at', created_at)), created_at, created_at
      from (select *, case when n % 500 = 0 then 'waiting_payment' when n % 3 = 0 then 'expired' else 'paid' end as status
              from (select *, row_number() over () as n from orders) o) s;
    analyze orders, payments`);
});

/** How many rows each step of the plan that serves every value takes, the most of them first. */
async function rowsOfPage(filter: OrderFilter, createdAt: string | null): Promise<number[]> {
  const id = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  const place = createdAt === null ? null : { createdAt, id };
  const page = { perPage: 20, after: place, createdFrom: null, createdBefore: null };
  return rowsRead(client, (db) => listPlacedOrders(db, scope, filter, page));
}

describe(`a page of ${ORDERS} orders reads only the rows that it shows`, () => {
  const FILTERS: [what: string, filter: OrderFilter][] = [
    ['all', {}],
    ['most of them', { paymentStatuses: paymentStatusesOf('paid') }],
    ['few of them', { paymentStatuses: paymentStatusesOf('pending') }],
    ['none of them', { paymentStatuses: paymentStatusesOf('charged_back') }],
  ];
  for (const [what, filter] of FILTERS) {
    for (const [where, createdAt] of [
      ['first', null],
      ['at depth', '2026-01-02T00:00:00.000000Z'],
    ] as const) {
      test(`${what}, ${where}`, async () => {
        const [most = 0] = await rowsOfPage(filter, createdAt);
        assert.ok(most <= MOST_ROWS, `${most} rows were read in one step`);
      });
    }
  }
});
