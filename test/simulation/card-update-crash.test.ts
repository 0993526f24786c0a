import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver } from '../support/payments/notifications.ts';
import { lockRow, untilBlocked } from '../support/payments/payment-lock.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';
import { fetchDueTokens } from '../support/run-jobs.ts';
import { sharedService } from '../support/shared-service.ts';
import { Shop } from '../support/shop.ts';
import { subscribed } from '../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });

test('a process that is killed while it writes the update of a card has changed nothing, and the next report does', async () => {
  const shop = await Shop.open(service);
  const { card_id } = await subscribed(shop);
  await fetchDueTokens(service.deps);
  const [row] = await service.rows<{ reference: string }>(
    'select network_token_reference as reference from cards where id = :card_id',
    { card_id },
  );
  const report = {
    ...{ id: 'n1', account: shop.account, reference: row!.reference, type: 'network_token.updated' as const },
    occurred_at: new Date().toISOString(),
    card: { first_6: '424242', last_4: '1111', exp_month: '05', exp_year: '44' },
  };
  const shown = async () => {
    const { last_4, exp_month, exp_year } = await shop.get(`/cards/${card_id}`);
    return [last_4, exp_month, exp_year];
  };
  const before = await shown();
  const dying = await startServiceProcess(service);
  {
    await using held = await lockRow(service, 'cards', card_id);
    const cut = assert.rejects(deliver({ ...service, url: dying.url }, report));
    await untilBlocked(service);
    await dying.kill();
    await cut;
    await held.release();
  }
  assert.deepEqual(await shown(), before);
  for (let times = 1; times <= 2; times += 1) {
    assert.equal(await deliver(service, report), 204);
    assert.deepEqual(await shown(), ['1111', '05', '44']);
  }
});
