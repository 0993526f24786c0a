import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { migrateSimulator } from '../../gateway/simulator/migrate.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

const FOLDER = new URL('../../gateway/simulator/migrations/', import.meta.url);

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await testDatabase();
  client = new Client(database.url);
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Creates the schema as these files leave it. */
async function migrateTo(...files: string[]): Promise<void> {
  await client.query('drop schema simulator cascade; create schema simulator');
  await client.query('create table simulator.migrations (name text primary key)');
  for (const file of files) {
    await client.query(await readFile(new URL(file, FOLDER), 'utf8'));
    await client.query('insert into simulator.migrations values ($1)', [file]);
  }
}

test('operations of the first schema get the method and the amount that they are about', async () => {
  await migrateTo('001-books.sql', '002-scripts.sql');
  await client.query(`
    insert into simulator.payments (account, reference, method, state, amount_centavos, capture, behaviour, customer_id,
                                    created_at)
    values ('a', 'card', 'card', 'authorized', 900, false, 'approve', 'c', now()),
           ('a', 'charge', 'pix', 'open', 500, false, 'approve', 'c', now());
    insert into simulator.operations (account, reference, kind, status, payment_reference, amount_centavos, outcome)
    values ('a', 'card', 'authorization', 'booked', null, 900, '{}'), ('a', 'capture', 'capture', 'booked', 'card', 300, '{}'),
           ('a', 'cancel', 'cancel', 'booked', 'card', null, '{}'), ('a', 'charge', 'pix_charge', 'booked', null, 500, '{}'),
           ('a', 'withdrawal', 'cancel', 'booked', 'charge', null, '{}'),
           ('a', 'token', 'network_token', 'booked', null, null, '{}'), ('a', 'sealed', 'sealed', 'sealed', null, null, null)`);
  await migrateSimulator(database.url);
  const { rows } = await client.query(
    'select reference, method, amount_centavos::int as amount from simulator.operations order by reference',
  );
  assert.deepEqual(
    rows.map(({ reference, method, amount }) => [reference, method, amount]),
    [
      ['cancel', 'credit_card', 900],
      ['capture', 'credit_card', 300],
      ['card', 'credit_card', 900],
      ['charge', 'pix', 500],
      ['sealed', null, null],
      ['token', null, null],
      ['withdrawal', 'pix', 500],
    ],
  );
});

test('payments and planned events of an older schema are kept', async () => {
  await migrateTo('001-books.sql', '002-scripts.sql', '003-reported-subjects.sql', '004-script-records.sql');
  await client.query(`
    insert into simulator.payments (account, reference, method, state, amount_centavos, capture, behaviour, customer_id,
                                    created_at)
    values ('a', 'card', 'card', 'authorized', 900, false, 'approve', 'c', now()),
           ('a', 'charge', 'pix', 'open', 500, false, 'approve', 'c', now());
    insert into simulator.planned (account, due_at, happening, payment_reference) values ('a', now(), 'expired', 'charge')`);
  await migrateSimulator(database.url);
  const payments = await client.query('select reference, method from simulator.payments order by reference');
  assert.deepEqual(payments.rows, [
    { reference: 'card', method: 'credit_card' },
    { reference: 'charge', method: 'pix' },
  ]);
  const events = await client.query('select event, payment_reference from simulator.scheduled_events');
  assert.deepEqual(events.rows, [{ event: 'expired', payment_reference: 'charge' }]);
});
