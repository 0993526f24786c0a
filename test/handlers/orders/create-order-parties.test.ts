import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertBooksAgree } from '../../support/books.ts';
import { type MoneyService, startMoneyService } from '../../support/money-service.ts';
import { newEmail } from '../../support/parties.ts';
import type { Json } from '../../support/service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

let service: MoneyService;
let shop: Shop;
/** An order that would be taken: a stored card of a stored customer. */
let good: Json;

before(async () => {
  service = await startMoneyService();
  shop = await Shop.open(service);
  good = await shop.cardOrderBody();
});
after(async () => {
  await assertBooksAgree(service, shop.account);
  await service.stop();
});

const order = (body: object) => shop.post('/charges/orders', body);
const pix = (payment: object = {}, fields: object = {}) => {
  const body = shop.pixOrderBody();
  return { ...body, ...fields, payment: { ...body.payment, ...payment } };
};
const card = (payment: object, block: object = {}) => ({
  ...good,
  payment: { ...good.payment, credit_card: { ...good.payment.credit_card, ...block }, ...payment },
});
const line = (quantity: number, amount: number) => ({ name: 'Camiseta', quantity, amount });

describe('422 by who it is', () => {
  test('a customer that is not there, or of another merchant', async () => {
    const other = await Shop.open(service);
    for (const id of ['01a1ff1f-49b8-74d4-b96f-58da6d4a8512', await other.customer()]) {
      assertRefused(await order(pix({}, { customer: { id } })), 'customer.id');
    }
  });

  test('a card of another customer, of another merchant, deleted, or none', async () => {
    const other = await Shop.open(service);
    const deleted = await shop.card(good.customer.id, '5555555555554444');
    assert.equal((await shop.call('DELETE', `/cards/${deleted}`)).status, 204);
    const ids = [
      await shop.card(await shop.customer()),
      await other.card(await other.customer()),
      deleted,
      '01a1ff1f-49b8-74d4-b96f-58da6d4a8512',
    ];
    for (const id of ids) assertRefused(await order(card({}, { id })), 'payment.credit_card.id');
  });

  test('a stored card cannot be that of a customer who is only made now, and nobody is made', async () => {
    const email = newEmail();
    assertRefused(await order({ ...good, customer: { name: 'Ana', email } }), 'payment.credit_card.id');
    assert.equal((await shop.call('GET', `/customers/${email}`)).status, 404);
  });

  test('a code that was used, and a refusal costs the card nothing', async () => {
    const first = await created(order(pix()));
    const fresh = await shop.cardOrderBody();
    const answer = await order({ ...fresh, code: first.code });
    assertRefused(answer, 'code');
    let code: string | null = null;
    const spy = service.intercept((real) => ({
      authorizeCard: (request) => {
        code = request.card.securityCode;
        return real.authorizeCard(request);
      },
    }));
    await created(order(fresh));
    spy.undo();
    assert.equal(code, '123', 'the security code is still there for the order that is placed');
  });

  test('two merchants may use one code', async () => {
    const other = await Shop.open(service);
    const { code } = await created(order(pix()));
    await created(other.post('/charges/orders', { ...other.pixOrderBody(), code }));
  });

  test('one order of those with one code at once', async () => {
    const bodies = await Promise.all(Array.from({ length: 12 }, () => shop.cardOrderBody()));
    const code = 'all at once';
    const answers = await Promise.all(bodies.map((body) => order({ ...body, code })));
    const placed = answers.filter(({ status }) => status === 201);
    assert.equal(placed.length, 1);
    for (const answer of answers) if (answer !== placed[0]) assertRefused(answer, 'code');
    assert.equal((await shop.get('/payments?order_code=all%20at%20once')).data.length, 1);
  });
});

describe('422 names everything that is wrong at once', () => {
  test('rules, customer, card, code and address', async () => {
    const { code } = await created(order(pix()));
    const unknown = '01a1ff1f-49b8-74d4-b96f-58da6d4a8512';
    const body = card({ amount: 9_999 }, { id: unknown });
    const wrong = { ...body, code, customer: { id: unknown }, items: [line(1, 10_000)] };
    const paths = ['code', 'customer.id', 'payment.credit_card.id'];
    assertRefused(await order({ ...wrong, mcc: '1234' }), ...paths, 'mcc', 'payment.amount');
    assertRefused(
      await order({ ...wrong, notification_url: 'http://example.com', items: [line(1, 9_999)] }),
      ...paths,
      'notification_url',
    );
    assertRefused(await order({ ...wrong, items: [line(1, 9_999)] }), ...paths);
    assertRefused(await order({ ...good, code, customer: { id: unknown } }), 'code', 'customer.id');
  });
});
