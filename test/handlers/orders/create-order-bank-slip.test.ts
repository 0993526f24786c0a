import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { readBarcode } from '../../../domain/payments/bank-slip.ts';
import { ADDRESS, CPF, customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS } from '../../support/pages/checkout-page.ts';
import { barcodeOfLine } from '../../support/payments/barcode-of-line.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, statusesOf, UNKNOWN_ID } from '../../support/shop.ts';

const { shop } = await sharedShop();

const day = (ahead: number) => addDays(merchantDay(new Date()), ahead);

describe('201 by boleto', () => {
  for (const [amount, due_at] of [
    [1, day(0)],
    [12_990, day(30)],
    [9_999_999_999, day(365)],
  ] as const) {
    test(`has a line and a barcode for ${amount} centavos that are due on ${due_at}`, async () => {
      const { status, payment } = await shop.placed(shop.bankSlipOrderBody(amount, { due_at }));
      assert.deepEqual([status, payment.status], ['pending', 'waiting_payment']);
      assert.deepEqual(statusesOf(payment), ['processing', 'waiting_payment']);
      const { digitable_line, barcode } = payment.bank_slip;
      assert.equal(payment.bank_slip.due_at, due_at);
      assert.equal(barcodeOfLine(digitable_line), barcode);
      const read = readBarcode(barcode, merchantDay(new Date()));
      assert.deepEqual([read?.amount_centavos, read?.dueDate], [amount, due_at]);
      assert.deepEqual([payment.pix, payment.credit_card], [undefined, undefined]);
      assert.deepEqual(await shop.payment(payment.id), payment);
    });
  }

  test('is due 3 days ahead by default', async () => {
    assert.equal((await shop.bankSlipPayment()).bank_slip.due_at, day(3));
  });

  test('has a barcode of its own', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, () => shop.bankSlipPayment()));
    assert.equal(new Set(payments.map(({ bank_slip }) => bank_slip.barcode)).size, 5);
  });

  test('uses the document and address of a stored customer', async () => {
    const id = await shop.customer({ documents: [{ type: 'cpf', value: CPF }], addresses: [ADDRESS] });
    const order = await shop.placed({ ...shop.bankSlipOrderBody(), customer: { id } });
    assert.equal(order.payment.status, 'waiting_payment');
  });

  test('uses what the order says about a stored customer who has neither', async () => {
    const { email } = await shop.get(`/customers/${await shop.customer()}`);
    const order = await shop.placed(shop.bankSlipOrderBody(5_000, undefined, { email }));
    assert.equal(order.payment.status, 'waiting_payment');
  });

  // The last two are white space too: a control character of Latin-1, and an em space.
  for (const blank of [' ', '\u0085', '\u2003']) {
    test(`is registered for a payer whose texts are only ${JSON.stringify(blank)}`, async () => {
      const lines = { line_1: blank, line_2: blank, number: blank, neighborhood: blank, city: blank };
      const customer = { name: blank, addresses: [{ ...ADDRESS, ...lines, state: blank.repeat(2) }] };
      const order = await shop.placed(shop.bankSlipOrderBody(5_000, undefined, customer));
      assert.equal(order.payment.status, 'waiting_payment');
      const stored = { ...shop.bankSlipOrderBody(), customer: { id: order.customer_id } };
      assert.equal((await shop.placed(stored)).payment.status, 'waiting_payment');
      const page = await CheckoutPage.ofLink(shop, { payment_methods: ['bank_slip'] });
      const typed = customerBody({ ...customer, documents: DOCUMENTS });
      const payment = await page.paid({ payment_method: 'bank_slip', customer: typed });
      assert.equal(payment.status, 'waiting_payment');
    });
  }

  test('uses them too if the order names the customer by id', async () => {
    const id = await shop.customer();
    const customer = { id, documents: [{ type: 'cpf', value: CPF }], addresses: [ADDRESS] };
    const order = await shop.placed({ ...shop.bankSlipOrderBody(), customer });
    assert.deepEqual([order.customer_id, order.payment.status], [id, 'waiting_payment']);
    assert.deepEqual((await shop.get(`/customers/${id}`)).addresses, []);
  });

  test('is paid, then refunded in parts', async () => {
    const { id } = await shop.bankSlipPayment(5_000);
    await shop.simulate(id, 'paid');
    const paid = await shop.payment(id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 5_000]);
    assert.deepEqual(await shop.eventNames(id), ['payment.created', 'payment.updated', 'payment.updated']);
    assert.equal((await shop.refund(id, 1_500)).body.status, 'succeeded');
    assert.equal((await shop.refund(id)).body.amount, 3_500);
    assert.equal((await shop.payment(id)).status, 'refunded');
  });

  test('is canceled before it is paid', async () => {
    const { id } = await shop.bankSlipPayment();
    assert.equal((await shop.cancel(id)).body.status, 'canceled');
  });

  test('is refused by a test amount', async () => {
    const payment = await shop.bankSlipPayment(99_990_002);
    assert.deepEqual([payment.status, payment.refusal.code], ['refused', 'processing_error']);
    assert.deepEqual([payment.bank_slip.digitable_line, payment.bank_slip.barcode], [null, null]);
  });

  test('is found in the list by its method', async () => {
    const { id, customer_id } = await shop.bankSlipPayment();
    const { data } = await shop.get(`/payments?payment_method=bank_slip&customer_id=${customer_id}`);
    assert.deepEqual(
      data.map((payment: { id: string }) => payment.id),
      [id],
    );
  });

  test('cannot be charged back', async () => {
    const { id } = await shop.bankSlipPayment();
    await shop.simulate(id, 'paid');
    const answer = await shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'chargeback_requested' });
    assertRefused(answer, 'status');
    assert.deepEqual(answer.body.errors.status, ['A boleto cannot be charged back.']);
  });
});

describe('422 by boleto', () => {
  const noDocument = { documents: [{ type: 'passport', value: 'AB123456' }] };

  test('a due date that is past, or more than 365 days ahead', async () => {
    for (const due_at of [day(-1), day(366)]) {
      assertRefused(await shop.order(shop.bankSlipOrderBody(5_000, { due_at })), 'payment.bank_slip.due_at');
    }
  });

  test('an invalid due date', async () => {
    for (const due_at of ['2027-02-30', 'tomorrow', null, 20270101]) {
      assertRefused(await shop.order(shop.bankSlipOrderBody(5_000, { due_at })), 'payment.bank_slip.due_at');
    }
  });

  test('a customer without a CPF, a CNPJ or an address', async () => {
    const none = { ...noDocument, addresses: undefined };
    const both = await shop.order(shop.bankSlipOrderBody(5_000, undefined, none));
    assertRefused(both, 'customer.documents', 'customer.addresses');
    const id = await shop.customer(noDocument);
    const stored = await shop.order({ ...shop.bankSlipOrderBody(), customer: { id } });
    assertRefused(stored, 'customer.documents', 'customer.addresses');
  });

  test('a wrong tax number or country of a customer with an id', async () => {
    const id = await shop.customer({ documents: [], addresses: [] });
    const customer = {
      id,
      documents: [{ type: 'cpf', value: '11111111111' }],
      addresses: [{ ...ADDRESS, country: 'XX' }],
    };
    assertRefused(
      await shop.order({ ...shop.bankSlipOrderBody(), customer }),
      'customer.documents.0.value',
      'customer.addresses.0.country',
    );
  });

  test('these together with other violations', async () => {
    const body = shop.bankSlipOrderBody(5_000, { due_at: day(-1) }, { addresses: undefined });
    assertRefused(
      await shop.order({ ...body, mcc: '1234' }),
      'mcc',
      'customer.addresses',
      'payment.bank_slip.due_at',
    );
  });

  test('a customer that does not exist', async () => {
    assertRefused(
      await shop.order({ ...shop.bankSlipOrderBody(), customer: { id: UNKNOWN_ID } }),
      'customer.id',
    );
  });

  test('another block, or installments', async () => {
    const { payment, ...order } = shop.bankSlipOrderBody();
    const wrong = { ...payment, pix: {}, installments: 2 };
    assertRefused(await shop.order({ ...order, payment: wrong }), 'payment.pix', 'payment.installments');
  });

  test('creates no customer', async () => {
    const { email } = customerBody();
    await shop.order(shop.bankSlipOrderBody(5_000, undefined, { email, addresses: undefined }));
    assert.equal((await shop.call('GET', `/customers/${email}`)).status, 404);
  });
});
