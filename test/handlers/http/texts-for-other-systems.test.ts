/** Texts that card statements, banks, e-mails, PDFs and pages show are single lines without control characters. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderBodies } from '../../support/orders/order-bodies.ts';
import { ADDRESS, BANK_ACCOUNT, companyBody, customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, created } from '../../support/shop.ts';
import { subscribe, subscriptionBody } from '../../support/subscriptions/subscription-calls.ts';

const { shop } = await sharedShop();
const { card, pix } = await orderBodies(shop);

/** Each can end a line, or is not shown by what comes after us. */
const CONTROLS = ['\n', '\r\n', '\t', '\u0000', '\u0007', '\u001b[2J', '\u007f'];

describe('the text on the card statement', () => {
  const WRONG = [...CONTROLS.map((control) => `LOJA${control}X`), 'CAFÉ', '日本', 'LOJA 🎉', '   '];

  for (const text of WRONG) {
    test(`cannot be ${JSON.stringify(text)}`, async () => {
      const sent = { statement_descriptor: text };
      assertRefused(await shop.order(card({}, sent)), 'payment.credit_card.statement_descriptor');
      for (const method of ['debit_card', 'browser_wallet']) {
        const answer = await shop.order(pix({ payment_method: method, [method]: sent }));
        assert.equal(answer.status, 422);
        assert.ok(answer.body.errors[`payment.${method}.statement_descriptor`], answer.text);
      }
      assertRefused(
        await shop.post('/payment-links', linkBody({ soft_descriptor: text })),
        'soft_descriptor',
      );
    });
  }

  test('is checked at changes of links, and for subscriptions', async () => {
    const link = await created(
      shop.post('/payment-links', linkBody({ soft_descriptor: "PAG*LOJA & CIA'S" })),
    );
    const change = { soft_descriptor: 'LOJA\nX' };
    assertRefused(await shop.call('PUT', `/payment-links/${link.id}`, { body: change }), 'soft_descriptor');
    const byCard = await subscriptionBody(shop);
    Object.assign(byCard.payment.credit_card, { statement_descriptor: 'LOJA\nX' });
    assertRefused(await subscribe(shop, byCard), 'payment.credit_card.statement_descriptor');
    const wallet = { browser_wallet_token: 'x', statement_descriptor: 'LOJA\nX' };
    const payment = { amount: 4_990, payment_method: 'browser_wallet', browser_wallet: wallet };
    assertRefused(
      await subscribe(shop, { ...byCard, payment }),
      'payment.browser_wallet.statement_descriptor',
    );
  });

  test('says what it may be', async () => {
    const { body } = await shop.post('/payment-links', linkBody({ soft_descriptor: 'CAFÉ' }));
    assert.deepEqual(body.errors.soft_descriptor, [
      'Must be printable ASCII characters, without accents, and not only spaces.',
    ]);
  });
});

describe('a name, a title or an address', () => {
  for (const control of CONTROLS) {
    const text = `a${control}b`;
    test(`cannot have ${JSON.stringify(control)}`, async () => {
      const address = {
        ...ADDRESS,
        line_1: text,
        line_2: text,
        number: text,
        neighborhood: text,
        city: text,
      };
      const wrongAddress = ['line_1', 'line_2', 'number', 'neighborhood', 'city'].map(
        (field) => `addresses.0.${field}`,
      );
      const customer = customerBody({ name: text, addresses: [address] });
      assertRefused(await shop.post('/customers', customer), 'name', ...wrongAddress);
      const ofOrder = ['name', ...wrongAddress].map((path) => `customer.${path}`);
      assertRefused(await shop.order(pix({}, { customer })), ...ofOrder);
      const page = await CheckoutPage.ofLink(shop);
      assertRefused(await page.pay(pixBody({ customer: customerBody({ name: text }) })), 'customer.name');
      assertRefused(await shop.post('/payment-links', linkBody({ title: text })), 'title');
      const bank_account = { ...BANK_ACCOUNT, holder_name: text };
      const recipient = companyBody({ bank_account });
      assertRefused(await shop.post('/recipients', recipient), 'bank_account.holder_name');
    });
  }

  test('is checked at changes', async () => {
    const id = await shop.customer();
    assertRefused(await shop.call('PUT', `/customers/${id}`, { body: { name: 'a\nb' } }), 'name');
    const link = await created(shop.post('/payment-links', linkBody()));
    assertRefused(await shop.call('PUT', `/payment-links/${link.id}`, { body: { title: 'a\nb' } }), 'title');
    const recipient = await created(shop.post('/recipients', companyBody()));
    const body = { bank_account: { pix_key: 'a\nb', holder_name: 'a\nb' } };
    assertRefused(
      await shop.call('PUT', `/recipients/${recipient.id}`, { body }),
      'bank_account.pix_key',
      'bank_account.holder_name',
    );
  });

  test('keeps letters of any language, and a description its lines', async () => {
    const name = 'Zoë Müller-Ñandú 日本 👩‍👩‍👧';
    assert.equal((await shop.get(`/customers/${await shop.customer({ name })}`)).name, name);
    const description = 'Primeira linha\nSegunda linha';
    assert.equal((await shop.placed(pix({}, { description }))).description, description);
  });
});
