import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../db/engine/migrate.ts';
import type { TestDatabase } from '../support/database.ts';
import { insertBareMerchant, insertBareOperation, insertBarePayment } from '../support/db/bare-rows.ts';
import { ordinaryDatabase } from '../support/db/ordinary-database.ts';

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await ordinaryDatabase();
  await migrate(database.url, 'sandbox');
  client = new Client(database.url);
  await client.connect();
  await insertBareMerchant(client);
  await client.query(
    `insert into events (slot, merchant_id, id, event, object_id, data, created_at)
     select slot, merchant_id, merchant_id, 'payment.created', merchant_id, '{}', now() from merchants`,
  );
  const id = await insertBarePayment(client);
  await insertBareOperation(client, id, { kind: 'authorize', state: 'approved' });
  await client.query(
    `insert into payment_operation_results (slot, merchant_id, operation_id, state, settled_at)
     select slot, merchant_id, id, state, settled_at from payment_operations`,
  );
});
after(async () => {
  await client.end();
  await database.drop();
});

describe('the role of the service, which owns the tables', () => {
  for (const [table, assignment] of [
    ['events', `event = 'payment.updated'`],
    ['events', `data = '{"amount": 1}'`],
    ['events', 'created_at = now()'],
    ['payment_operation_results', `state = 'refused', refusal_code = 'x'`],
    ['payment_operation_results', 'settled_at = now()'],
    ['payment_operations', 'amount_centavos = 1'],
    ['payment_operations', `kind = 'capture'`],
    ['payment_operations', `reference = 'x'`],
    ['payment_operations', 'payment_id = id'],
    ['payment_operations', 'created_at = now()'],
    ['refunds', 'amount_centavos = 1'],
    ['refunds', 'payment_id = id'],
    ['refunds', `reference = 'x'`],
    ['refunds', `reason = 'x'`],
    ['refunds', `metadata = '{"a": "b"}'`],
  ] as const) {
    test(`cannot change ${table}: ${assignment}`, async () => {
      await assert.rejects(client.query(`update ${table} set ${assignment}`), { code: '42501' });
    });
  }

  test('can refer to an event, and delete one', async () => {
    await client.query(`
      begin;
      create table about_events (slot smallint, merchant_id uuid, event_id uuid,
        foreign key (slot, merchant_id, event_id) references events (slot, merchant_id, id));
      insert into about_events select slot, merchant_id, id from events;
      delete from about_events;
      delete from events;
      delete from payment_operation_results;
      rollback`);
  });
});
