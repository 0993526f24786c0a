import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { insertBareMerchant, insertBarePayment } from '../support/db/bare-rows.ts';

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
         join pg_attribute third on third.attrelid = i.indrelid and third.attnum = i.indkey[2]
        where i.indrelid = c.conrelid
          -- The key compares the column, so an index of the rows in which it is not null has all that may refer.
          and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', '(' || third.attname || ' IS NOT NULL)')
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

describe('the references to a row', () => {
  test('are found by an index', async () => {
    assert.deepEqual(await keysWithoutIndex(), []);
  });

  for (const [index, key] of [
    ['orders_by_customer', 'orders (slot, merchant_id, customer_id)'],
    ['ledger_transfers_of_recipient', 'ledger_transfers (slot, merchant_id, recipient_id)'],
    ['payments_of_customer', 'payments (slot, merchant_id, customer_id, card_id)'],
  ] as const) {
    test(`are not found without ${index}`, async () => {
      assert.ok((await keysWithoutIndex(`drop index ${index}`)).includes(key));
    });
  }
});

test('a payment cannot have the card of another customer', async () => {
  await client.query('begin');
  await insertBareMerchant(client);
  await insertBarePayment(client);
  await assert.rejects(insertBarePayment(client, { holder: 'other' }), { code: '23503' });
  await client.query('rollback');
});
