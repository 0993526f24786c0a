/**
 * Statements that need a few rows of a merchant read only these, when the merchant has a long history among many
 * merchants without one. Then Postgres, which plans a prepared statement for all merchants, expects almost no rows.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findSealedCard } from '../../db/cards/card-security-codes.ts';
import { findCard, markCardAuthorized } from '../../db/cards/cards.ts';
import { findCustomer } from '../../db/customers/customers.ts';
import { inBulk } from '../../db/engine/bulk.ts';
import type { Queryable, Tx } from '../../db/engine/database.ts';
import { findEvent, findStoredEvents } from '../../db/events/events.ts';
import { lastPositioned, readFeed } from '../../db/events/feed.ts';
import { movePaymentRow } from '../../db/payments/move-payment-row.ts';
import { notificationUrlsFrom } from '../../db/payments/notification-urls.ts';
import { findOperation, moveOperationRow } from '../../db/payments/payment-operations.ts';
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../../db/payments/payment-row.ts';
import { findPayment, findPaymentOfOrder, lockPayment } from '../../db/payments/payments.ts';
import { lockDueSubscriptions, postponeSubscriptions } from '../../db/subscriptions/due-subscriptions.ts';
import { findOpenPayments, findPayments } from '../../db/subscriptions/subscription-payments.ts';
import { findSubscriptionById, lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { clientWithMerchant } from '../support/db/bare-client.ts';
import { insertBareOperation, insertBarePayment, insertBareSubscription } from '../support/db/bare-rows.ts';
import { pagesRead, rowsRead } from '../support/db/rows-read.ts';
import { skewRows } from '../support/db/skewed-rows.ts';

const ROWS = 20_000;
/** Those of the rows of a merchant, in one index, are 250 or more. */
const MOST_PAGES_OF_READ = 100;
/** Also writes to each index of the table. */
const MOST_PAGES_OF_CHANGE = 400;
const UNIQUE = 'gen_random_uuid()';
const LATER = `now() + n * interval '1 minute'`;
const NOW = new Date();

const { client, scope } = await clientWithMerchant();
const ids: Record<string, string[]> = {};
let payments: PaymentRow[];

before(async () => {
  await insertBareOperation(client, await insertBarePayment(client), { kind: 'authorize' });
  await insertBareSubscription(client);
  await client.query(`
    insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
    select slot, merchant_id, id, 'payment.paid', 'payment', id, id, '{}', created_at from payments;
    delete from cards where holder = 'other'; delete from customers where name = 'other'`);
  const own = { id: UNIQUE, hash: UNIQUE, code: UNIQUE, created_at: LATER };
  for (const [table, more] of Object.entries({
    payments: { order_id: UNIQUE, reference: UNIQUE, order_code: UNIQUE, customer_id: UNIQUE },
    subscriptions: { customer_id: UNIQUE, offer_id: UNIQUE },
    customers: { email_key: UNIQUE },
    cards: { customer_id: UNIQUE },
    events: { object_id: UNIQUE },
    payment_operations: { payment_id: UNIQUE, reference: UNIQUE },
  })) {
    await skewRows(client, table, { scope, count: ROWS, own: { ...own, ...more } });
    const { rows } = await client.query(
      `select id from ${table} where merchant_id = $1 order by md5(cast(id as text)) limit 6`,
      [scope.merchantId],
    );
    ids[table] = rows.map(({ id }) => id);
  }
  await client.query(`
    set session_replication_role = replica;
    insert into event_positions (slot, merchant_id, position, event_id, created_at)
    select slot, merchant_id, row_number() over (partition by merchant_id order by created_at), id, created_at from events;
    set session_replication_role = origin`);
  await client.query('vacuum analyze event_positions');
  const sql = `select ${PAYMENT_COLUMNS} from payments where id = any($1)`;
  payments = (await client.query(sql, [ids.payments])).rows;
});

/** Sends the calls for several rows of a table as one statement. */
const together =
  (table: string, ask: (tx: Tx, id: string) => Promise<unknown>) =>
  (q: Queryable): Promise<unknown> => {
    const tx = inBulk(q) as Tx;
    return Promise.all(ids[table]!.map((id) => ask(tx, id)));
  };
const one = (table: string, ask: (q: Tx, id: string) => Promise<unknown>) => (q: Queryable) =>
  ask(q as Tx, ids[table]![0]!);
const leased = { leasedUntil: NOW, dueAt: NOW };

type Ask = (q: Queryable) => Promise<unknown>;
const READS: Readonly<Record<string, Ask>> = {
  'a payment by its id': one('payments', (q, id) => findPayment(q, scope, id)),
  'a payment by its id, locked': one('payments', (q, id) => lockPayment(q, scope, id)),
  'the payment of an order': one('payments', (q, id) => findPaymentOfOrder(q, scope, id)),
  'payments by their ids': (q) => findPayments(q, scope, ids.payments!),
  'open payments by their ids': (q) => findOpenPayments(q, scope, ids.payments!),
  'payments by their ids, locked': together('payments', (tx, id) => lockPayment(tx, scope, id)),
  'operations by their ids': together('payment_operations', (tx, id) => findOperation(tx, scope, id)),
  'notification URLs of payments': (q) => notificationUrlsFrom('subscriptions')(q, scope, ids.payments!),
  'a subscription by its id': one('subscriptions', (q, id) => findSubscriptionById(q, scope, id)),
  'subscriptions by their ids, locked': together('subscriptions', (tx, id) =>
    lockSubscription(tx, scope, id),
  ),
  'due subscriptions, locked': (q) =>
    lockDueSubscriptions(q as Tx, scope, { ids: ids.subscriptions!, until: NOW }),
  'a customer by its id': one('customers', (q, id) => findCustomer(q, scope, { by: 'id', value: id })),
  'a customer by its hash': (q) => findCustomer(q, scope, { by: 'hash', value: 'x' }),
  'a customer by its e-mail': (q) => findCustomer(q, scope, { by: 'email', value: 'x' }),
  'customers by their ids': together('customers', (tx, id) =>
    findCustomer(tx, scope, { by: 'id', value: id }),
  ),
  'a card by its id': one('cards', (q, id) => findCard(q, scope, id)),
  'the numbers of cards': together('cards', (tx, id) => findSealedCard(tx, scope, id, NOW)),
  'an event by its id': one('events', (q, id) => findEvent(q, scope, id)),
  'the last event of the feed': (q) => lastPositioned(q, scope),
  'a page of the feed': (q) => readFeed(q, scope, { afterPosition: ROWS / 2, limit: 6 }),
  'events by their ids': (q) => findStoredEvents(q, scope, ids.events!),
};

const CHANGES: Readonly<Record<string, Ask>> = {
  'payments that move': (q) => {
    const tx = inBulk(q) as Tx;
    const move = (payment: Payment) =>
      movePaymentRow(tx, scope, {
        before: payment,
        after: { ...payment, updatedAt: NOW },
        events: [],
        postings: [],
      });
    return Promise.all(payments.map(toPayment).map(move));
  },
  'operations that move': together('payment_operations', (tx, id) =>
    moveOperationRow(tx, scope, { id, from: ['pending'], to: 'approved', refusalCode: null, at: NOW }),
  ),
  'postponed subscriptions': (q) => postponeSubscriptions(q, scope, { ids: ids.subscriptions!, ...leased }),
  'cards that are authorized': together('cards', (tx, id) => markCardAuthorized(tx, scope, id, NOW)),
};

describe(`of ${ROWS} rows of a merchant, only those that are needed are read:`, () => {
  for (const [statements, most] of [
    [READS, MOST_PAGES_OF_READ],
    [CHANGES, MOST_PAGES_OF_CHANGE],
  ] as const) {
    for (const [what, ask] of Object.entries(statements)) {
      test(what, async () => {
        const [rows = 0] = await rowsRead(client, ask);
        assert.ok(rows <= 10, `${rows} rows were read in one step`);
        const pages = await pagesRead(client, ask);
        assert.ok(pages <= most, `${pages} pages were read`);
      });
    }
  }
});
