/** How a buyer pays at a checkout page, by each method, and what the merchant sees of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { ADDRESS, CPF, customerBody, newEmail, OTHER_CPF, PHONE } from '../../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS, pixBody } from '../../support/pages/checkout-page.ts';
import { openLinkBody } from '../../support/pages/link-bodies.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const NO_FUNDS = '4000000000009995';
/** Two cards with the same first 6 and last 4 digits. */
const SAME_ENDS = ['4242420000004242', '4242420000184242'] as const;
const STOLEN = '4000000000009979';

describe('a payment at a link', () => {
  test('by Pix has a QR code, becomes paid, and names the link for the merchant', async () => {
    // The seconds that are left follow the account's clock.
    await shop.post('/sandbox/clock/advance', { days: 1 });
    const page = await CheckoutPage.ofLink(shop, { pix_expiration_minutes: 60 });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS], phone: PHONE });
    const waiting = await page.paid(pixBody({ customer }));
    assert.deepEqual([waiting.status, waiting.amount, waiting.refusal], ['waiting_payment', 15_990, null]);
    assert.equal(waiting.statement_descriptor, null);
    assert.match(waiting.pix.qr_code_image, /^data:image\/png/);
    const open_ms = Date.parse(waiting.pix.expires_at) - Date.parse(waiting.created_at);
    assert.ok(Math.abs(open_ms - 3_600_000) < 2_000);
    assert.deepEqual(Object.keys(waiting.pix), ['qr_code', 'qr_code_image', 'expires_at', 'expires_in_s']);
    assert.ok(Math.abs(waiting.pix.expires_in_s - 3_600) <= 2);

    const [payment] = (await shop.get(`/payments?payment_link_id=${page.id}`)).data;
    assert.deepEqual([payment.hash, payment.offer_id], [waiting.hash, null]);
    await shop.simulate(payment.id, 'paid');
    assert.equal((await page.payment(waiting.hash)).status, 'paid');
    assert.equal((await page.link()).payments_count, 1);
    const order = await shop.get(`/charges/orders/${payment.order_id}`);
    assert.deepEqual([order.description, order.mcc], ['Workshop', '5734']);
    assert.deepEqual(order.buyer, { ...customer, language: 'pt' });
  });

  test('keeps the time at which it was paid when a part of it is refunded', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const waiting = await page.paid(pixBody());
    assert.equal(waiting.paid_at, null);
    const [payment] = (await shop.get('/payments')).data;
    await shop.simulate(payment.id, 'paid');
    const paid = await page.payment(waiting.hash);
    const step = (await shop.payment(payment.id)).history.find(
      ({ status }: { status: string }) => status === 'paid',
    );
    assert.equal(Date.parse(paid.paid_at), Date.parse(step.at));
    await shop.post('/sandbox/clock/advance', { days: 1 });
    await shop.refund(payment.id, 1_000);
    const refunded = await page.payment(waiting.hash);
    assert.deepEqual([refunded.status, refunded.paid_at], ['paid', paid.paid_at]);
    assert.notEqual(refunded.updated_at, paid.updated_at);
  });

  test('by credit card charges the installments with their interest', async () => {
    await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 200 } });
    const page = await CheckoutPage.ofLink(shop, {
      amount: 10_000,
      max_installments: 2,
      interest_mode: 'installments',
      soft_descriptor: 'OFICINA',
    });
    const paid = await page.paid(await page.cardBody({ installments: 2, amount: 10_000 }));
    assert.deepEqual(
      [paid.status, paid.amount, paid.interest_amount, paid.installments],
      ['paid', 10_200, 200, 2],
    );
    assert.deepEqual(paid.credit_card, { brand: 'visa', last_4: '4242' });
    assert.equal(paid.statement_descriptor, 'OFICINA');
    const [payment] = (await shop.get('/payments')).data;
    assert.deepEqual(
      [payment.amount, payment.interest_amount, payment.captured_amount],
      [10_200, 200, 10_200],
    );
    const [row] = await service.rows<{ details: { statementDescriptor: string } }>(
      'select details from payments where id = :id',
      { id: payment.id },
    );
    assert.equal(row!.details.statementDescriptor, 'OFICINA');
  });

  test('is refused if the total with interest is not the one that the page has shown', async () => {
    await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 200 } });
    const page = await CheckoutPage.ofLink(shop, {
      amount: 10_000,
      max_installments: 2,
      interest_mode: 'installments',
    });
    const shown = (await page.read()).body.installments[1].total_amount;
    const body = await page.cardBody({ installments: 2, total_amount: shown });
    await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 250 } });
    const refused = await page.pay(body);
    assertRefused(refused, 'total_amount');
    assert.deepEqual(refused.body.errors.total_amount, ['The total is 10250 centavos.']);
    assert.deepEqual((await shop.get('/charges/orders')).data, []);
    assert.equal((await page.paid({ ...body, total_amount: 10_250 })).amount, 10_250);
    assertRefused(await page.pay(pixBody({ total_amount: 10_250 })), 'total_amount');
    assert.equal((await page.paid(pixBody({ total_amount: 10_000 }))).amount, 10_000);
  });

  test('by credit card is only authorized if the merchant captures later', async () => {
    const page = await CheckoutPage.ofLink(shop, { card_capture: false, max_payments: 1 });
    const paid = await page.paid(await page.cardBody());
    assert.equal(paid.status, 'authorized');
    assert.equal((await page.link()).payments_count, 0);
    assertRefused(await page.pay(pixBody()), 'status');
    const [payment] = (await shop.get('/payments')).data;
    await shop.capture(payment.id);
    assert.equal((await page.link()).status, 'exhausted');
  });

  test('by debit card is captured at once', async () => {
    const page = await CheckoutPage.ofLink(shop, { payment_methods: ['debit_card'], card_capture: false });
    const { credit_card, ...body } = await page.cardBody({ payment_method: 'debit_card' });
    const paid = await page.paid({ ...body, debit_card: credit_card });
    assert.deepEqual([paid.status, paid.debit_card.last_4], ['paid', '4242']);
  });

  test('by boleto has a line, and is due when the link says', async () => {
    const page = await CheckoutPage.ofLink(shop, {
      payment_methods: ['bank_slip'],
      boleto_expiration_days: 5,
    });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS] });
    const waiting = await page.paid({ payment_method: 'bank_slip', customer });
    assert.match(waiting.bank_slip.digitable_line, /^[0-9]{47}$/);
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    assert.equal(Date.parse(waiting.bank_slip.due_at) - Date.parse(today), 5 * 86_400_000);
  });

  test('by boleto is made for the longest name, also if it is of characters such as emoji', async () => {
    const page = await CheckoutPage.ofLink(shop, { payment_methods: ['bank_slip'] });
    const customer = customerBody({ name: '😀'.repeat(191), documents: DOCUMENTS, addresses: [ADDRESS] });
    const { status, bank_slip } = await page.paid({ payment_method: 'bank_slip', customer });
    assert.equal(status, 'waiting_payment');
    assert.equal((await fetch(bank_slip.pdf_url)).status, 200);
  });

  test('by boleto has the country of the address in upper case, also if the buyer typed it otherwise', async () => {
    const page = await CheckoutPage.ofLink(shop, { payment_methods: ['bank_slip'] });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [{ ...ADDRESS, country: 'br' }] });
    await page.paid({ payment_method: 'bank_slip', customer });
    const [order] = (await shop.get('/charges/orders')).data;
    assert.equal(order.buyer.addresses[0].country, 'BR');
    const [row] = await service.rows<{ country: string }>(
      "select details->'payer'->'address'->>'country' as country from payments where id = :id",
      { id: order.payment.id },
    );
    assert.equal(row!.country, 'BR');
  });

  test('has the amount that the buyer types, at least R$ 5.00', async () => {
    const page = await CheckoutPage.ofLink(shop, openLinkBody());
    assertRefused(await page.pay(pixBody()), 'amount');
    assertRefused(await page.pay(pixBody({ amount: 499 })), 'amount');
    assert.equal((await page.paid(pixBody({ amount: 500 }))).amount, 500);
  });

  test('is refused with a sentence for the buyer, who can try another card', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_payments: 1 });
    const customer = customerBody();
    const refused = await page.paid(await page.cardBody({ customer }, { number: NO_FUNDS }));
    assert.deepEqual([refused.status, refused.refusal.code], ['refused', 'insufficient_funds']);
    const stolen = await page.paid(await page.cardBody({ customer }, { number: STOLEN }));
    assert.deepEqual([stolen.status, stolen.refusal.code], ['refused', 'do_not_honor']);
    const paid = await page.paid(await page.cardBody({ customer }));
    assert.equal(paid.status, 'paid');
    assert.equal((await shop.get('/charges/orders')).data.length, 3, 'each try is an order');
  });

  test('by a double click with one key is made once', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const [body, idempotencyKey] = [pixBody(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 4 }, () => page.pay(body, { idempotencyKey })));
    const again = await page.pay(body, { idempotencyKey });
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    for (const { status, text } of answers) assert.ok(status === 409 || text === again.text, text);
    assert.equal((await shop.get('/payments')).data.length, 1);
  });

  test('has a key of its page: the merchant and other pages can use the same one', async () => {
    const [one, other] = [await CheckoutPage.ofLink(shop), await CheckoutPage.ofLink(shop)];
    const idempotencyKey = randomUUID();
    assert.equal((await one.pay(pixBody(), { idempotencyKey })).status, 201);
    assert.equal((await other.pay(pixBody(), { idempotencyKey })).status, 201);
    assert.equal((await shop.post('/customers', customerBody(), idempotencyKey)).status, 201);
  });
});

test('a payment at the page of an offer names the offer', async () => {
  const page = await CheckoutPage.ofOffer(shop);
  const { hash } = await page.paid(pixBody());
  const [payment] = (await shop.get(`/payments?offer_id=${page.id}`)).data;
  assert.deepEqual([payment.hash, payment.payment_link_id, payment.amount], [hash, null, 49_900]);
});

describe('a buyer with an e-mail address that the merchant knows', () => {
  test('is linked to the customer, and sees and uses nothing that is stored', async () => {
    const email = newEmail();
    const stored = {
      email,
      name: 'Ana Souza',
      documents: [{ type: 'cpf', value: OTHER_CPF }],
      addresses: [ADDRESS],
    };
    const customerId = await shop.customer(stored);
    const page = await CheckoutPage.ofLink(shop, { payment_methods: ['bank_slip'] });
    assertRefused(
      await page.pay({ payment_method: 'bank_slip', customer: { name: 'Eva', email } }),
      'customer.documents',
      'customer.addresses',
    );
    const typed = { name: 'Eva', email, documents: DOCUMENTS, addresses: [{ ...ADDRESS, city: 'Campinas' }] };
    const { text } = await page.pay({ payment_method: 'bank_slip', customer: typed });
    assert.doesNotMatch(text, /Ana Souza|11144477735|São Paulo/);
    const [payment] = (await shop.get('/payments')).data;
    assert.equal(payment.customer_id, customerId);
    const [row] = await service.rows<{ payer: object }>(
      "select details->'payer' as payer from payments where id = :id",
      {
        id: payment.id,
      },
    );
    assert.partialDeepStrictEqual(row!.payer, { name: 'Eva', document: CPF, address: { city: 'Campinas' } });
    assert.equal((await shop.get(`/customers/${customerId}`)).name, 'Ana Souza');
  });

  test('does not pay with a stored card whose digits in the middle are others', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const customer = customerBody();
    await page.paid(await page.cardBody({ customer }, { number: SAME_ENDS[0] }));
    await page.paid(await page.cardBody({ customer }, { number: SAME_ENDS[0] }));
    // The holder and the expiry are the same too.
    await page.paid(await page.cardBody({ customer }, { number: SAME_ENDS[1] }));
    const numbers = await service.rows<{ cards: number }>(
      'select count(*) as cards from cards where merchant_id = :account',
      { account: shop.account },
    );
    assert.equal(numbers[0]!.cards, 2, 'the same card is stored once, and the other one is another card');
  });
});

describe('a payment is refused on', () => {
  test('every wrong field at once', async () => {
    const page = await CheckoutPage.ofLink(shop, {
      collect_phone: true,
      require_address: true,
      payment_methods: ['pix'],
      max_installments: 2,
    });
    const documents = [{ type: 'cpf', value: '11111111111' }];
    const body = {
      payment_method: 'bank_slip',
      amount: 1,
      installments: 2,
      customer: customerBody({ documents }),
    };
    assertRefused(await page.pay(body), 'customer.documents.0.value');
    assertRefused(
      await page.pay({ ...body, customer: customerBody() }),
      'payment_method',
      'amount',
      'installments',
      'customer.documents',
      'customer.addresses',
      'customer.phone',
    );
  });

  test('a number of installments that the page does not offer', async () => {
    const page = await CheckoutPage.ofLink(shop, { max_installments: 2 });
    const answer = await page.pay(await page.cardBody({ installments: 3 }));
    assertRefused(answer, 'installments');
    assert.deepEqual(answer.body.errors.installments, ['Must be one of: 1, 2.']);
  });

  test('a card that is missing, of another method, not a JWE, or wrong inside', async () => {
    const page = await CheckoutPage.ofLink(shop);
    assertRefused(await page.pay({ payment_method: 'credit_card', customer: customerBody() }), 'credit_card');
    assertRefused(await page.pay(await page.cardBody({ payment_method: 'pix' })), 'credit_card');
    const aes = { encrypted: 'QUJDRA==' };
    assertRefused(await page.pay(await page.cardBody({ credit_card: aes })), 'credit_card.encrypted');
    const foreign = await CheckoutPage.ofLink(await Shop.open(service));
    assert.equal((await page.pay(await foreign.cardBody())).status, 400);
    const answer = await page.pay(await page.cardBody({}, { number: '4242424242424241', expMonth: '13' }));
    assertRefused(answer, 'encrypted.number', 'encrypted.expMonth');
  });
});
