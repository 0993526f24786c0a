import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { migrate } from '../../../db/engine/migrate.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertBareMerchant } from '../../support/db/bare-rows.ts';
import { migrateTo, schemaBefore } from '../../support/db/migrate-to.ts';

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

/** A payment link of the merchant, as it was before logos were shared. */
async function insertLink(logo_url: string | null): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into payment_links
       (slot, merchant_id, id, hash, state, title, amount_type, amount_centavos, payment_methods, max_installments,
        interest_mode, interest_free_installments, card_capture, boleto_expiration_days, pix_expiration_minutes,
        collect_phone, require_address, send_email_receipt, logo_url, created_at, updated_at)
     select slot, merchant_id, gen_random_uuid(), gen_random_uuid(), 'active', 'A', 'fixed', 1000, '{pix}', 1, 'none', 1,
            true, 3, 30, false, false, false, $1, now(), now()
       from merchants
     returning id`,
    [logo_url],
  );
  return rows[0]!.id;
}

async function logos(columns: string) {
  const { rows } = await client.query(`select ${columns} from payment_link_logos order by url`);
  return rows;
}

test('the logos of existing links are fetched, and then shared by links with the same address', async () => {
  await schemaBefore(client, '077');
  await insertBareMerchant(client);
  const linkId = await insertLink('https://example.com/a.png');
  const sharing = await insertLink('https://example.com/a.png');
  await insertLink('https://example.com/b.png');
  await insertLink(null);

  await migrateTo(client, '106');
  assert.deepEqual(await logos('url, attempts, due_at <= now() as is_due'), [
    { url: 'https://example.com/a.png', attempts: 0, is_due: true },
    { url: 'https://example.com/a.png', attempts: 0, is_due: true },
    { url: 'https://example.com/b.png', attempts: 0, is_due: true },
  ]);
  // One link has a copy. The others have failed.
  await client.query('update payment_link_logos set due_at = null, attempts = 1');
  await client.query(
    `update payment_link_logos set content_type = 'image/png', bytes = 'x', version = '00000000' where link_id = $1`,
    [linkId < sharing ? linkId : sharing],
  );

  await migrate(database.url, 'sandbox');
  assert.deepEqual(await logos('url, attempts, version, due_at <= now() as is_due, problem_code'), [
    { url: 'https://example.com/a.png', attempts: 1, version: '00000000', is_due: null, problem_code: null },
    { url: 'https://example.com/b.png', attempts: 0, version: null, is_due: true, problem_code: null },
  ]);
});
