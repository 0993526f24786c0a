import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../db/engine/migrate.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertBareLink, insertBareMerchant, insertBarePayment } from '../../support/db/bare-rows.ts';
import { schemaBefore } from '../../support/db/migrate-to.ts';

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await testDatabase();
  client = new Client(database.url);
  await client.connect();
  await schemaBefore(client, '175');
  await insertBareMerchant(client);
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Takes a place of a link. Returns its holder. */
async function take(linkId: string, state: string, holderId: string): Promise<string> {
  await client.query(
    `insert into payment_link_places (slot, merchant_id, link_id, holder_id, state, created_at, updated_at)
     select slot, merchant_id, $1, $2, $3, now(), now() from merchants`,
    [linkId, holderId, state],
  );
  const column = state === 'under_way' ? 'payments_under_way' : 'payments_count';
  if (state !== 'released') {
    await client.query(`update payment_links set ${column} = ${column} + 1 where id = $1`, [linkId]);
  }
  return holderId;
}

async function ofPayment(linkId: string, state: string, status: string, columns = {}): Promise<string> {
  const payment = {
    status,
    captured: status === 'paid' ? 100 : 0,
    columns: { payment_link_id: `'${linkId}'`, ...columns },
  };
  return take(linkId, state, await insertBarePayment(client, payment));
}

async function countsOf(linkId: string): Promise<unknown> {
  const { rows } = await client.query(
    'select payments_under_way::integer as under_way, payments_count::integer as counted from payment_links where id = $1',
    [linkId],
  );
  return rows[0];
}

test('the places of authorizations that were given up are released, and no others', async () => {
  const [link, other, untouched] = [
    await insertBareLink(client),
    await insertBareLink(client),
    await insertBareLink(client),
  ];
  const left = [
    await ofPayment(link, 'under_way', 'pre_authorized'),
    await ofPayment(link, 'under_way', 'pre_authorized'),
    await ofPayment(other, 'under_way', 'pre_authorized'),
  ];
  await ofPayment(link, 'under_way', 'pre_authorized', { due_at: 'now()' });
  await ofPayment(link, 'under_way', 'pre_authorized', { pending_operation: "'void'" });
  await ofPayment(link, 'under_way', 'processing');
  await ofPayment(link, 'counted', 'paid');
  await ofPayment(link, 'released', 'pre_authorized');
  // The place of a subscription.
  const { rows } = await client.query<{ id: string }>('select gen_random_uuid() as id');
  await take(untouched, 'under_way', rows[0]!.id);

  await migrate(database.url, 'sandbox');

  const { rows: places } = await client.query<{ holder_id: string }>(
    `select holder_id from payment_link_places p
      where state = 'released' and exists (select from payments where id = holder_id and updated_at = p.updated_at)
        and holder_id = any($1)`,
    [left],
  );
  assert.deepEqual(places.map(({ holder_id }) => holder_id).sort(), left.sort());
  assert.deepEqual(await countsOf(link), { under_way: 3, counted: 1 });
  assert.deepEqual(await countsOf(other), { under_way: 0, counted: 0 });
  assert.deepEqual(await countsOf(untouched), { under_way: 1, counted: 0 });
  const { rows: wrong } = await client.query(
    `select l.id from payment_links l
      where payments_under_way <> (select count(*) from payment_link_places where link_id = l.id and state = 'under_way')`,
  );
  assert.deepEqual(wrong, [], 'the counts are those of the places');
});
