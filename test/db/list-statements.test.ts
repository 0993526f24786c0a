/**
 * Knex builds the statements of the lists. Written by hand they would be the same, so a page costs what it would cost
 * without Knex: the same plan, and one prepared statement for each combination of filters, whatever their values are.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listCards } from '../../db/cards/cards.ts';
import { listCustomers } from '../../db/customers/customers.ts';
import type { Queryable } from '../../db/engine/database.ts';
import type { PageRequest } from '../../db/engine/page.ts';
import { listEvents } from '../../db/events/events.ts';
import { listPlacedOrders } from '../../db/orders/placed-orders.ts';
import { listPayments } from '../../db/payments/payment-list.ts';
import { PAYMENT_COLUMNS } from '../../db/payments/payment-row.ts';
import { listRecipients } from '../../db/recipients/recipients.ts';
import type { MerchantScope } from '../../domain/scope.ts';

const SCOPE: MerchantScope = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000001' };
const FIRST_PAGE: PageRequest = { perPage: 20, after: null, createdFrom: null, createdBefore: null };
const LATER_PAGE: PageRequest = {
  perPage: 20,
  after: { createdAt: '2026-11-22T10:00:00.000000Z', id: '00000000-0000-7000-8000-000000000002' },
  createdFrom: '2026-11-01T00:00:00.000000Z',
  createdBefore: '2026-12-01T00:00:00.000000Z',
};
const CURSOR_AT = `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as cursor_at`;
const ORDER = 'order by created_at desc, id desc limit :limit';
const BOUNDS =
  '(created_at, id) < (:cursor_at, :cursor_id) and created_at >= :created_from and created_at < :created_before';
const CARD_COLUMNS =
  'id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year, network_token_status, authorized_at, created_at, updated_at';
const CUSTOMER_COLUMNS =
  'id, hash, name, email, documents, addresses, phone, metadata, typed_by_buyer, created_at, updated_at';

type List = (q: Queryable, page: PageRequest) => Promise<unknown>;

/** The statement that a list sends, without the quotes of names and with single spaces. */
async function statementOf(list: List, page: PageRequest): Promise<string> {
  const sent: string[] = [];
  const recorder = {
    rows: async (_: MerchantScope, text: string) => {
      sent.push(text);
      return [];
    },
  };
  await list(recorder as unknown as Queryable, page);
  assert.equal(sent.length, 1);
  return sent[0]!
    .replaceAll(/"([a-z_.]+)"(?!")/g, (quoted, name) => (/^[TZ]$/.test(name) ? quoted : name))
    .replaceAll(/\s+/g, ' ');
}

const lists: readonly (readonly [
  what: string,
  list: List,
  columns: string,
  from: string,
  conditions: string,
])[] = [
  ['payments', (q, page) => listPayments(q, SCOPE, {}, page), PAYMENT_COLUMNS, 'payments', '{scope}'],
  [
    'payments by status and least amount',
    (q, page) => listPayments(q, SCOPE, { status: 'paid', amountMin_centavos: 100 }, page),
    PAYMENT_COLUMNS,
    'payments',
    '{scope} and status = :by_status and amount_centavos >= :by_amount_min_centavos',
  ],
  [
    'events',
    (q, page) => listEvents(q, SCOPE, {}, page),
    'id, event, object_type, object_id, payment_id, data, created_at',
    'events',
    '{scope}',
  ],
  [
    'events of a payment',
    (q, page) => listEvents(q, SCOPE, { paymentId: SCOPE.merchantId }, page),
    'id, event, object_type, object_id, payment_id, data, created_at',
    'events',
    '{scope} and object_id = :by_payment_id and payment_id = :by_payment_id',
  ],
  [
    'events of an object',
    (q, page) => listEvents(q, SCOPE, { objectId: SCOPE.merchantId }, page),
    'id, event, object_type, object_id, payment_id, data, created_at',
    'events',
    '{scope} and object_id = :by_object_id',
  ],
  ['customers', (q, page) => listCustomers(q, SCOPE, {}, page), CUSTOMER_COLUMNS, 'customers', '{scope}'],
  [
    'a customer by e-mail',
    (q, page) => listCustomers(q, SCOPE, { email: 'bia@example.com' }, page),
    CUSTOMER_COLUMNS,
    'customers',
    '{scope} and email_key = :by_email',
  ],
  [
    'customers with a document',
    (q, page) => listCustomers(q, SCOPE, { document: '11144477735' }, page),
    CUSTOMER_COLUMNS,
    `(with found as materialized ( select slot, merchant_id, email_key, ${CUSTOMER_COLUMNS} from customers where {scope} and documents @> :by_document ) select * from found) as customers`,
    '{scope}',
  ],
  [
    'cards of a customer',
    (q, page) => listCards(q, SCOPE, SCOPE.merchantId, page),
    CARD_COLUMNS,
    'cards',
    '{scope} and deleted_at is null and not awaits_approval and customer_id = :by_customer_id',
  ],
];

describe('the statement of a page', () => {
  for (const [what, list, columns, from, conditions] of lists) {
    const [scope, ...filters] = conditions.split(' and ');
    const isOwn = (condition: string) => /^(deleted_at is null|not awaits_approval)$/.test(condition);
    const own = filters.filter(isOwn);
    const byFilter = filters.filter((condition) => !isOwn(condition));
    const written = (bounds: readonly string[]) =>
      `select ${columns}, ${CURSOR_AT} from ${from} where ${[scope, ...own, ...bounds, ...byFilter].join(' and ')} ${ORDER}`.replaceAll(
        /\s+/g,
        ' ',
      );

    test(`of ${what} equals the handwritten one`, async () => {
      assert.equal(await statementOf(list, FIRST_PAGE), written([]));
      assert.equal(await statementOf(list, LATER_PAGE), written([BOUNDS]));
    });
  }

  test('of orders uses the index of orders, and that of payments by status', async () => {
    const orders = await statementOf((q, page) => listPlacedOrders(q, SCOPE, {}, page), FIRST_PAGE);
    assert.match(
      orders,
      / from orders o join payments p on p\.slot = o\.slot and p\.merchant_id = o\.merchant_id and p\.order_id = o\.id where \{scope:o\} and \{scope:p\} order by o\.created_at desc, o\.id desc limit :limit$/,
    );
    const byStatus = await statementOf(
      (q, page) => listPlacedOrders(q, SCOPE, { paymentStatuses: ['paid', 'refunded'] }, page),
      FIRST_PAGE,
    );
    for (const i of [0, 1]) {
      const one = `where {scope:p} and {scope:o} and p.status = :by_payment_statuses_${i} order by p.created_at desc, p.order_id desc limit :limit)`;
      assert.ok(byStatus.includes(one), byStatus);
    }
    assert.match(byStatus, /\) order by created_at desc, cursor_id desc limit :limit$/);
  });

  test('is the same for other values, and prepared once', async () => {
    const byStatus = (status: string, email: string) =>
      statementOf((q, page) => listRecipients(q, SCOPE, { status, email }, page), LATER_PAGE);
    assert.equal(await byStatus('approved', 'a@example.com'), await byStatus('blocked', 'b@example.com'));
  });
});
