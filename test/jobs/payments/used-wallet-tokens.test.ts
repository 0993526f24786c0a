import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { expiredRows } from '../../../jobs/maintenance/expired-rows.ts';
import { payments } from '../../../jobs/payments/area.ts';
import { WorkLoop } from '../../../jobs/work-loop.ts';
import { advance, HOUR_MS } from '../../support/clock-calls.ts';
import { startTestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { verifiedDomain, walletOrderBody } from '../../support/wallet/wallet-shop.ts';

const TOKEN = 'payment.browser_wallet.browser_wallet_token';

const service = await startTestService({ jobs: false });
after(() => service.stop());

/** Deletes expired rows as they are after this time. Returns how many used tokens are left. */
async function tokensAfter(ms: number): Promise<number> {
  service.setAhead(ms);
  await new WorkLoop(service.deps, expiredRows(service.deps, payments.expiringTables!)).runToEnd();
  service.setAhead(0);
  return (await service.rows('select 1 from used_wallet_tokens')).length;
}

test('a used wallet token is forgotten when it has expired, and is refused before and after', async () => {
  const shop = await Shop.open(service);
  await verifiedDomain(shop);
  const body = await walletOrderBody(shop);
  await created(shop.order(body));
  const refusal = async () => {
    const { status, body: answer } = await shop.order({ ...body, code: 'outro-pedido' });
    return [status, answer.errors];
  };

  assert.equal(await tokensAfter(23.9 * HOUR_MS), 1);
  assert.deepEqual(await refusal(), [422, { [TOKEN]: ['The token has already been used.'] }]);

  await advance(shop, { days: 1 });
  assert.equal(await tokensAfter(24.9 * HOUR_MS), 1, 'an order can still be under way');
  assert.equal(await tokensAfter(25.1 * HOUR_MS), 0);
  const sentence = 'The token has expired. The buyer must confirm the payment again.';
  assert.deepEqual(await refusal(), [422, { [TOKEN]: [sentence] }]);
});
