import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);
const customerId = await shop.customer();
const cardId = await shop.card(customerId);

const authorize = (outcome: string) => ({ operation: 'authorize', outcome });
const make = async (...outcomes: object[]): Promise<Json> =>
  created(shop.post('/sandbox/scripts', { card_id: cardId, outcomes }));
const drop = (id: string, of = shop) => of.call('DELETE', `/sandbox/scripts/${id}`);
let orders = 0;

/** Why the next charge of the card is refused; null where it is paid. */
async function nextRefusal(): Promise<string | null> {
  orders += 1;
  const { payment } = await shop.placed({
    code: `order-${orders}`,
    mcc: '5734',
    customer: { id: customerId },
    payment: { amount: 100, payment_method: 'credit_card', credit_card: { id: cardId } },
  });
  return payment.refusal?.code ?? null;
}

describe('204', () => {
  test('the rest of the script has no effect, and other scripts continue', async () => {
    const dropped = await make(authorize('lost_card'), authorize('stolen_card'), authorize('fraud'));
    await make(authorize('account_closed'));
    assert.equal(await nextRefusal(), 'lost_card');
    const answer = await drop(dropped.id.toUpperCase());
    assert.deepEqual([answer.status, answer.text], [204, '']);
    assert.deepEqual([await nextRefusal(), await nextRefusal()], ['account_closed', null]);
    const { data } = await shop.get('/sandbox/scripts');
    assert.ok(data.every(({ id }: Json) => id !== dropped.id));
  });

  test('a script that is used up', async () => {
    const { id } = await make(authorize('approve'));
    assert.equal(await nextRefusal(), null);
    assert.equal((await drop(id)).status, 204);
  });
});

describe('404', () => {
  test('a script that is deleted, unknown or malformed', async () => {
    const { id } = await make(authorize('approve'));
    await drop(id);
    for (const name of [id, UNKNOWN_ID, 'none', '%00', '%zz']) {
      const { status, body } = await drop(name);
      assert.deepEqual([status, body], [404, { message: 'Script not found.' }], name);
    }
  });

  test('a script of another merchant, which still has an effect', async () => {
    const { id } = await make(authorize('limit_exceeded'));
    assert.equal((await drop(id, await Shop.open(service))).status, 404);
    assert.equal(await nextRefusal(), 'limit_exceeded');
  });
});

test('403 for a read-only key', async () => {
  const { id } = await make(authorize('approve'));
  const { apiKey } = await service.newKey(shop.onboarded, ['sandbox:read', 'payments:write']);
  assert.equal((await shop.call('DELETE', `/sandbox/scripts/${id}`, { key: apiKey })).status, 403);
  assert.equal((await shop.call('GET', '/sandbox/scripts', { key: apiKey })).status, 200);
});
