/** What migrations change in rows of an older version. The statement of each runs again on rows that were set back. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { beforeEach, test } from 'node:test';
import { advance } from '../support/clock-calls.ts';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { recurringOffer } from '../support/pages/offer-bodies.ts';
import { commandsDuring } from '../support/payments/acquirer-calls.ts';
import { fetchDueTokens } from '../support/run-jobs.ts';
import { sharedService } from '../support/shared-service.ts';
import { created, Shop } from '../support/shop.ts';
import { changeNow, offerOf } from '../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** Runs the statement of a migration that changes rows. */
async function changeRows(migration: string): Promise<void> {
  const sql = await readFile(new URL(`../../db/migrations/${migration}`, import.meta.url), 'utf8');
  const [statement] = /^update [^;]+/m.exec(sql)!;
  await service.rows(statement);
}

test('the token of a card is requested again, and the card is charged by its number until then', async () => {
  const { id, card_id } = await subscribed(shop);
  await fetchDueTokens(service.deps);
  const token = async () => {
    const [row] = await service.rows<{ status: string; reference: string }>(
      'select network_token_status as status, network_token_reference as reference from cards where id = :card_id',
      { card_id },
    );
    return row!;
  };
  const before = await token();
  await changeRows('127-network-token-updates.sql');
  const after = await token();
  assert.deepEqual([before.status, after.status], ['active', 'requested']);
  assert.notEqual(after.reference, before.reference);
  assert.equal(after.reference.slice(0, 2), before.reference.slice(0, 2), 'it is found in the same slot');
  const chargedBy = async () => {
    const commands = await commandsDuring(service, () => advance(shop, { days: 32 }));
    return commands.flatMap((command) => (command.kind === 'authorize' ? [Object.keys(command)] : []))[0]!;
  };
  assert.ok((await chargedBy()).includes('card'));
  await fetchDueTokens(service.deps);
  assert.equal((await token()).status, 'active');
  assert.ok((await chargedBy()).includes('networkToken'));
  assert.equal((await shop.get(`/subscriptions/${id}`)).successful_charges, 3);
});

test('an endpoint that failed long ago is not disabled by its next failed attempt', async () => {
  const endpoint = { url: 'https://loja.invalid/hook', events: ['*'] };
  const { id } = await created(shop.post('/webhook-endpoints', endpoint));
  await service.rows(
    "update webhook_endpoints set failing_since = now() - interval '30 days' where id = :id",
    { id },
  );
  await changeRows('173-failures-of-idle-endpoints.sql');
  const { status, failing_since } = await shop.get(`/webhook-endpoints/${id}`);
  assert.deepEqual([status, failing_since], ['active', null]);
});

test('a subscription of a page gets the offer of its first payment, or its present one', async () => {
  const page = await CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined }));
  await page.subscribed(await page.subscriptionBody());
  const [{ id }] = (await shop.get('/subscriptions')).data;
  await changeNow(shop, id, await offerOf(shop, 9_990));
  const trial = await CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: 7 }));
  await trial.subscribed(await trial.subscriptionBody());
  const own = await subscribed(shop);
  const pages = () =>
    service.rows<{ id: string; page: string | null }>(
      'select id, page_offer_id as page from subscriptions where merchant_id = :account order by created_at, id',
      { account: shop.account },
    );
  const before = await pages();
  assert.deepEqual(
    before.map(({ page: offer }) => offer),
    [page.id, trial.id, null],
  );
  assert.equal(before[2]!.id, own.id);
  await service.rows('update subscriptions set page_offer_id = null where merchant_id = :account', {
    account: shop.account,
  });
  await changeRows('128-pages-of-subscriptions.sql');
  assert.deepEqual(await pages(), before);
});
