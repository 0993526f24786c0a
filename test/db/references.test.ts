import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../support/database.ts';

/**
 * Foreign keys whose rows no index finds: deleting one row that they may refer to walks through all of a merchant's.
 * Merchants themselves are never deleted.
 */
const WITHOUT_INDEX = `
  select c.conrelid::regclass::text || ' (' || string_agg(a.attname, ', ' order by k.place) || ')' as key
    from pg_constraint c
    cross join unnest(c.conkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number
   where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.confrelid <> 'merchants'::regclass
     and not exists (
       select from pg_index i
        where i.indrelid = c.conrelid and i.indpred is null
          and i.indkey[0] = c.conkey[1] and i.indkey[1] = c.conkey[2] and i.indkey[2] = any(c.conkey[3:]))
   group by c.oid, c.conrelid order by key`;

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

/** What `sql` leaves without an index; nothing of it stays. */
async function keysWithoutIndex(sql = ''): Promise<string[]> {
  await client.query('begin');
  try {
    await client.query(sql);
    const { rows } = await client.query<{ key: string }>(WITHOUT_INDEX);
    return rows.map(({ key }) => key);
  } finally {
    await client.query('rollback');
  }
}

describe('what refers to a row', () => {
  test('is found by an index', async () => {
    assert.deepEqual(await keysWithoutIndex(), []);
  });

  for (const [index, key] of [
    ['orders_of_customer', 'orders (slot, merchant_id, customer_id)'],
    ['payments_of_customer', 'payments (slot, merchant_id, customer_id, card_id)'],
  ] as const) {
    test(`is missed without ${index}`, async () => {
      assert.ok((await keysWithoutIndex(`drop index ${index}`)).includes(key));
    });
  }
});

test('a payment has no card of another customer', async () => {
  await client.query('begin');
  await client.query(`
    insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
                           encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
    values (7, gen_random_uuid(), 'a', 'a', 'approved', 'standard', '{5734}', '{credit_card}', 'a', 'a', '{}',
            now(), now());
    insert into customers (slot, merchant_id, id, hash, name, email, email_key, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), n, n, n, n, now(), now()
      from merchants, unnest('{buyer,other}'::text[]) n;
    insert into cards (slot, merchant_id, id, customer_id, holder, brand, first_6, last_4, exp_month, exp_year,
                       number_sealed, fingerprint, created_at, updated_at)
    select slot, merchant_id, gen_random_uuid(), id, name, 'visa', '424242', '4242', '12', '30', 'a', 'a', now(), now()
      from customers`);
  const pay = (customer: string, holder: string) =>
    client.query(
      `insert into payments (slot, merchant_id, id, hash, customer_id, status, method, amount_centavos, reference, mcc,
                             card_id, history, created_at, updated_at)
       select c.slot, c.merchant_id, gen_random_uuid(), $2, c.id, 'processing', 'credit_card', 100, $2, '5734', d.id,
              '[]', now(), now()
         from customers c join cards d using (slot, merchant_id) where c.name = $1 and d.holder = $2`,
      [customer, holder],
    );
  assert.equal((await pay('buyer', 'buyer')).rowCount, 1);
  await assert.rejects(pay('buyer', 'other'), { code: '23503' });
  await client.query('rollback');
});
