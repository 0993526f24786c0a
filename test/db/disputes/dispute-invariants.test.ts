/** What Postgres itself refuses in disputes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertBareMerchant, insertBarePayment } from '../../support/db/bare-rows.ts';

let database: TestDatabase;
let client: Client;
before(async () => {
  database = await testDatabase();
  client = new Client(database.url);
  await client.connect();
  await insertBareMerchant(client);
  await insertBarePayment(client, { status: 'paid', captured: 100 });
});
after(async () => {
  await client.end();
  await database.drop();
});

type Columns = Readonly<Record<string, string>>;

/** Inserts disputes of the payment, with other values for some columns. Nothing of them stays. */
async function insertDisputes(...disputes: Columns[]): Promise<void> {
  await client.query('begin');
  try {
    for (const columns of disputes) {
      const all: Columns = {
        id: 'gen_random_uuid()',
        payment_id: 'id',
        status: "'requested'",
        amount_centavos: '100',
        reason: "'general'",
        evidence_due_at: 'now()',
        created_at: 'now()',
        updated_at: 'now()',
        ...columns,
      };
      await client.query(
        `insert into disputes (slot, merchant_id, ${Object.keys(all).join(', ')})
         select slot, merchant_id, ${Object.values(all).join(', ')} from payments`,
      );
    }
  } finally {
    await client.query('rollback');
  }
}

const WON = { status: "'won'", decided_at: 'now()' };
const LOST = { status: "'lost'", decided_at: 'now()' };

describe('a dispute is refused', () => {
  const refused: readonly [what: string, columns: Columns[], code: string][] = [
    ['of a negative amount', [{ amount_centavos: '-1' }], '23514'],
    ['with an unknown status', [{ status: "'open'" }], '23514'],
    ['that is won without a time', [{ status: "'won'" }], '23514'],
    ['that is open with the time of a decision', [{ decided_at: 'now()' }], '23514'],
    ['with evidence that is no list', [{ evidence: "'{}'" }], '23514'],
    ['of a payment that does not exist', [{ payment_id: 'gen_random_uuid()' }], '23503'],
    ['of a payment that has an open one', [{}, { status: "'dispute'" }], '23505'],
    ['of a payment that lost one', [LOST, {}], '23505'],
  ];
  for (const [what, disputes, code] of refused) {
    test(what, () => assert.rejects(insertDisputes(...disputes), { code }));
  }
});

test('a payment can have one open dispute after others that it won', async () => {
  await insertDisputes(WON, WON, {});
  await insertDisputes(WON, LOST);
});
