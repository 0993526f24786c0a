import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deliver, notification } from '../support/payments/notifications.ts';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { adminWith } from './support/admin.ts';
import { UNKNOWN_ID } from './support/admin-database.ts';

let service: TestService;
let admin: ReturnType<typeof adminWith>;
before(async () => {
  service = await startTestService({ jobs: false });
  admin = adminWith({ DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
});
after(() => service.stop());

/** A shop to which the acquirer has reported one centavo too little for a Pix. */
async function deceived(): Promise<{ shop: Shop; payment: Json }> {
  const shop = await Shop.open(service);
  const payment = await shop.pixPayment();
  const reference = await shop.reference(payment.id);
  const report = notification(shop.account, reference, 'pix.paid', { amount_centavos: 4_999 });
  assert.equal(await deliver(service, report), 204);
  return { shop, payment };
}

test('discrepancies are listed, of one merchant or of all, and closed with a note', async () => {
  assert.equal((await admin.run('discrepancy', 'list')).stdout, 'There are no open discrepancies.\n');
  const [one, two] = [await deceived(), await deceived()];
  const all = await admin.json<Json[]>('discrepancy', 'list');
  assert.deepEqual(
    all.map(({ merchant_id }) => merchant_id),
    [one.shop.account, two.shop.account],
  );
  const [found, ...others] = await admin.json<Json[]>('discrepancy', 'list', '--merchant', one.shop.account);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [found.payment_id, found.reason, found.source, found.status, found.note, found.closed_at],
    [one.payment.id, 'amount_mismatch', 'notification', 'open', null, null],
  );
  assert.equal(found.why, 'It names another amount.');
  assert.deepEqual([found.reported.report, found.reported.amount_centavos], ['pix.paid', 4_999]);
  assert.deepEqual(
    [found.recorded.payment_status, found.recorded.amount_centavos],
    ['waiting_payment', 5_000],
  );
  const { stdout } = await admin.run('discrepancy', 'list');
  assert.match(stdout, /^id +created_at +merchant_id +payment_id +reason +source +reported +recorded\n/);
  assert.match(
    stdout,
    / amount_mismatch +notification +pix\.paid 4999 +pix_charge approved 5000, payment waiting_payment\n/,
  );

  const note = 'The acquirer has corrected it.';
  const closed = await admin.run('discrepancy', 'close', found.id, '--note', note);
  assert.equal(closed.stdout, `The discrepancy ${found.id} is closed.\n`);
  const open = await admin.json<Json[]>('discrepancy', 'list');
  assert.deepEqual(
    open.map(({ merchant_id }) => merchant_id),
    [two.shop.account],
  );
  const [kept] = await admin.json<Json[]>('discrepancy', 'list', '--all', '--merchant', one.shop.account);
  assert.deepEqual([kept.id, kept.status, kept.note], [found.id, 'closed', note]);
  assert.ok(kept.closed_at > kept.created_at);
  await admin.refused(
    ['discrepancy', 'close', found.id, '--note', 'again'],
    new RegExp(`^The discrepancy ${found.id} is already closed\\.$`),
  );
  assert.equal((await one.shop.payment(one.payment.id)).status, 'waiting_payment');
});

test('an unknown id is reported', async () => {
  await admin.refused(
    ['discrepancy', 'close', UNKNOWN_ID, '--note', 'x'],
    new RegExp(`^There is no discrepancy ${UNKNOWN_ID}\\.$`),
  );
  await admin.refused(
    ['discrepancy', 'list', '--merchant', UNKNOWN_ID],
    new RegExp(`^There is no merchant ${UNKNOWN_ID}\\.$`),
  );
});
