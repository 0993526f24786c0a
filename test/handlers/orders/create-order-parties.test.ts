import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderBodies } from '../../support/orders/order-bodies.ts';
import { newEmail } from '../../support/orders/parties.ts';
import { authorizations } from '../../support/payments/acquirer-calls.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const { good, pix, card, line } = await orderBodies(shop);

describe('422 for a customer, card or code', () => {
  test('a customer that is unknown, or of another merchant', async () => {
    const other = await Shop.open(service);
    for (const id of [UNKNOWN_ID, await other.customer()]) {
      assertRefused(await shop.order(pix({}, { customer: { id } })), 'customer.id');
    }
  });

  test('a card that is unknown, deleted, of another customer or of another merchant', async () => {
    const other = await Shop.open(service);
    const deleted = await shop.card(good.customer.id, '5555555555554444');
    assert.equal((await shop.call('DELETE', `/cards/${deleted}`)).status, 204);
    const ids = [
      await shop.card(await shop.customer()),
      await other.card(await other.customer()),
      deleted,
      UNKNOWN_ID,
    ];
    for (const id of ids) assertRefused(await shop.order(card({}, { id })), 'payment.credit_card.id');
  });

  test('a stored card with a new customer, who is then not created', async () => {
    const email = newEmail();
    assertRefused(await shop.order({ ...good, customer: { name: 'Ana', email } }), 'payment.credit_card.id');
    assert.equal((await shop.call('GET', `/customers/${email}`)).status, 404);
  });

  test('a used code, and the card is not charged', async () => {
    const first = await shop.placed(pix());
    const fresh = await shop.cardOrderBody();
    const answer = await shop.order({ ...fresh, code: first.code });
    assertRefused(answer, 'code');
    const [asked] = await authorizations(service, () => shop.placed(fresh));
    assert.equal(asked!.card.securityCode, '123', 'it is still there for the order that is placed');
  });

  test('two merchants can use the same code', async () => {
    const other = await Shop.open(service);
    const { code } = await shop.placed(pix());
    await other.placed({ ...other.pixOrderBody(), code });
  });

  test('one of simultaneous orders with one code is created', async () => {
    const bodies = await Promise.all(Array.from({ length: 12 }, () => shop.cardOrderBody()));
    const code = 'all at once';
    const answers = await Promise.all(bodies.map((body) => shop.order({ ...body, code })));
    const placed = answers.filter(({ status }) => status === 201);
    assert.equal(placed.length, 1);
    for (const answer of answers) if (answer !== placed[0]) assertRefused(answer, 'code');
    assert.equal((await shop.get('/payments?order_code=all%20at%20once')).data.length, 1);
  });
});

describe('422 reports all errors at once', () => {
  test('of rules, customer, card, code and address', async () => {
    const { code } = await shop.placed(pix());
    const body = card({ amount: 9_999 }, { id: UNKNOWN_ID });
    const wrong = { ...body, code, customer: { id: UNKNOWN_ID }, items: [line(1, 10_000)] };
    const paths = ['code', 'customer.id', 'payment.credit_card.id'];
    assertRefused(await shop.order({ ...wrong, mcc: '1234' }), ...paths, 'mcc', 'payment.amount');
    assertRefused(
      await shop.order({ ...wrong, notification_url: 'http://example.com', items: [line(1, 9_999)] }),
      ...paths,
      'notification_url',
    );
    assertRefused(await shop.order({ ...wrong, items: [line(1, 9_999)] }), ...paths);
    assertRefused(await shop.order({ ...good, code, customer: { id: UNKNOWN_ID } }), 'code', 'customer.id');
  });
});
