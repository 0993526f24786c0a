import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADDRESS, CPF, customerBody, newEmail, PHONE } from '../../support/orders/parties.ts';
import { authorizations } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

describe('201 by card', () => {
  test('charges a card at once', async () => {
    const asked = await shop.cardOrderBody({ amount: 12_990 });
    const order = await shop.placed(asked);
    const { payment } = order;

    assert.deepEqual(
      [order.code, order.status, order.amount, order.currency, order.mcc, order.customer_id],
      [asked.code, 'paid', 12_990, 'BRL', '5734', asked.customer.id],
    );
    assert.deepEqual([order.description, order.notification_url, order.items], [null, null, []]);
    assert.deepEqual(statusesOf(payment), ['processing', 'AUTHORIZED', 'paid']);
    assert.deepEqual(
      [payment.status, payment.captured_amount, payment.refunded_amount, payment.refusal],
      ['paid', 12_990, 0, null],
    );
    assert.deepEqual(
      [payment.installments, payment.payment_method, payment.pix],
      [1, 'credit_card', undefined],
    );
    const { authorization_code, ...card } = payment.credit_card;
    assert.match(authorization_code, /^\d{6}$/);
    const id = asked.payment.credit_card.id;
    assert.deepEqual(card, { id, brand: 'visa', first_6: '424242', last_4: '4242' });
    assert.deepEqual([payment.order_id, payment.order_code], [order.id, asked.code]);
    assert.deepEqual(await shop.payment(payment.id), payment);
  });

  test('emits three events, each with the payment of that moment', async () => {
    const { id } = await shop.cardPayment();
    const events = await shop.events(id);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.status, data.captured_amount]),
      [
        ['payment.created', 'processing', 0],
        ['payment.authorized', 'AUTHORIZED', 0],
        ['payment.updated', 'paid', 10_000],
      ],
    );
    assert.ok(events.every(({ environment }) => environment === 'sandbox'));
    assert.deepEqual(events[2].data, await shop.payment(id));
  });

  test('only authorizes with manual capture', async () => {
    const order = await shop.placed(await shop.cardOrderBody({ capture: false }));
    const { payment } = order;
    assert.deepEqual(
      [order.status, payment.status, payment.captured_amount],
      ['pending', 'pre_authorized', 0],
    );
    const events = await shop.events(payment.id);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['payment.created', 'payment.pre_authorized', 'payment.authorized'],
    );
    assert.deepEqual(events[1].data, payment);
    assert.deepEqual(events[2].data, payment);
  });

  test('passes installments, MCC, document, descriptor and capture on to the acquirer', async () => {
    const asked = await shop.cardOrderBody({
      installments: 12,
      capture: false,
      customer: { documents: [{ type: 'cpf', value: CPF }] },
    });
    const block = { ...asked.payment.credit_card, statement_descriptor: 'LOJA*PEDIDO' };
    const body = { ...asked, mcc: '7372', payment: { ...asked.payment, credit_card: block } };
    let payment: Json;
    const [seen] = await authorizations(service, async () => {
      payment = (await shop.placed(body)).payment;
    });

    assert.equal(payment.installments, 12);
    const { reference, requestedAt, customer, card, ...rest } = seen!;
    assert.equal(reference, await shop.reference(payment.id));
    assert.ok(requestedAt);
    assert.deepEqual(rest, {
      kind: 'authorize',
      method: 'credit_card',
      account: shop.account,
      amount_centavos: 10_000,
      capture: false,
      installments: 12,
      mcc: '7372',
      statementDescriptor: 'LOJA*PEDIDO',
      processingModel: null,
    });
    assert.deepEqual(customer, { customerId: asked.customer.id, name: 'Ana Souza', document: CPF });
    assert.deepEqual([card?.number, card?.securityCode], ['4242424242424242', '123']);
  });

  test('sends the security code only with the first of simultaneous authorizations', async () => {
    const first = await shop.cardOrderBody();
    const orders = Array.from({ length: 5 }, (_, i) => ({ ...first, code: `${first.code}-${i}` }));
    const asked = await authorizations(service, () => Promise.all(orders.map((body) => shop.placed(body))));
    assert.deepEqual(asked.map(({ card }) => card.securityCode).sort(), ['123', null, null, null, null]);
    const left = await service.rows('select 1 from card_security_codes where card_id = :id', {
      id: first.payment.credit_card.id,
    });
    assert.deepEqual(left, []);
  });

  test('stores description, metadata, notification_url and items of the order', async () => {
    const order = {
      description: 'Duas camisetas',
      metadata: { canal: 'loja', __proto__: undefined },
      notification_url: 'https://hooks.example.com/pedidos?loja=1',
      items: [
        { name: 'Camiseta', description: 'Azul', quantity: 2, amount: 4_500 },
        { name: 'Frete', quantity: 1, amount: 1_000 },
        { name: 'Brinde', quantity: 3, amount: 0 },
      ],
    };
    const answer = await shop.placed(await shop.cardOrderBody({ order }));
    const { description, metadata, notification_url, items } = answer;
    assert.deepEqual(
      { description, metadata, notification_url, items },
      { ...order, metadata: { canal: 'loja' } },
    );
    assert.deepEqual(answer.payment.metadata, { canal: 'loja' });
  });
});

describe('the customer of an order', () => {
  test('is created with all sent fields if the e-mail is new', async () => {
    const sent = customerBody({
      documents: [{ type: 'cpf', value: CPF }],
      addresses: [ADDRESS],
      phone: { ...PHONE, type: 'mobile' },
      metadata: { origem: 'pedido' },
    });
    const order = await shop.placed({ ...shop.pixOrderBody(), customer: sent });
    const { id, hash, created_at, updated_at, ...kept } = await shop.get(`/customers/${order.customer_id}`);
    assert.deepEqual(kept, sent);
  });

  test('is found by e-mail in any case, and does not change', async () => {
    const email = newEmail();
    const id = await shop.customer({ email, name: 'Ana Souza' });
    const customer = { email: email.toUpperCase(), name: 'Somebody Else' };
    const order = await shop.placed({ ...shop.pixOrderBody(), customer });
    assert.equal(order.customer_id, id);
    assert.equal((await shop.get(`/customers/${id}`)).name, 'Ana Souza');
  });

  test('is created once for simultaneous orders with a new e-mail', async () => {
    const customer = customerBody();
    const orders = Array.from({ length: 8 }, () => ({ ...shop.pixOrderBody(), customer }));
    const answers = await Promise.all(orders.map((body) => shop.placed(body)));
    assert.equal(new Set(answers.map((order) => order.customer_id)).size, 1);
  });

  test('can have an id in upper case, and so can the card', async () => {
    const asked = await shop.cardOrderBody();
    const body = {
      ...asked,
      customer: { id: asked.customer.id.toUpperCase() },
      payment: { ...asked.payment, credit_card: { id: asked.payment.credit_card.id.toUpperCase() } },
    };
    const order = await shop.placed(body);
    assert.equal(order.customer_id, asked.customer.id);
    assert.equal(order.payment.credit_card.id, asked.payment.credit_card.id);
  });

  test('pays with a stored card when found by e-mail', async () => {
    const email = newEmail();
    const customerId = await shop.customer({ email });
    const id = await shop.card(customerId);
    const asked = await shop.cardOrderBody();
    const body = {
      ...asked,
      customer: customerBody({ email }),
      payment: { ...asked.payment, credit_card: { id } },
    };
    assert.equal((await shop.placed(body)).status, 'paid');
  });
});
