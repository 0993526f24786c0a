/**
 * What a buyer sees of a payment that is over or waits, and of a service that is busy: the parts that need no browser.
 */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, test } from 'node:test';
import { errorPage } from '../../../web/checkout/error-page.ts';
import type { CheckoutPayment } from '../../../web/checkout/methods/method.ts';
import type { CheckoutSubscription } from '../../../web/checkout/operations.ts';
import { paymentView } from '../../../web/checkout/payment-page.ts';
import { subscriptionView } from '../../../web/checkout/subscription-page.ts';
import { en } from '../../../web/checkout/words/en.ts';
import { pt } from '../../../web/checkout/words/pt.ts';

const PAYMENT: CheckoutPayment = {
  hash: 'a'.repeat(26),
  status: 'paid',
  payment_method: 'pix',
  amount: 15_990,
  interest_amount: 0,
  refunded_amount: 0,
  installments: 1,
  refusal: null,
  statement_descriptor: null,
  checkout_url: 'https://pay.example.com/l/b',
  paid_at: '2026-11-24T12:00:00Z',
  created_at: '2026-11-24T12:00:00Z',
  updated_at: '2026-11-24T12:00:00Z',
} as CheckoutPayment;

const seen = (fields: Partial<CheckoutPayment>, words = pt, hasOtherWays = false) => {
  const { title, main, isOpen } = paymentView({ ...PAYMENT, ...fields }, words, '/l/b', hasOtherWays);
  return { title, text: main.text, isOpen };
};

/** The text of the page of a subscription. */
const subscriptionText = (fields: Partial<CheckoutSubscription>, words = pt) => {
  const subscription = {
    hash: 's'.repeat(26),
    payment: null,
    next_charge_at: null,
    next_charge_amount: null,
    ends_at: null,
    credit_card: null,
    ...fields,
  } as CheckoutSubscription;
  return subscriptionView(subscription, { merchant_name: 'Aurora Cursos' }, words, '/s/b').main.text;
};

describe('the page of a subscription that is canceled', () => {
  test('has the day on which the access ends', () => {
    const text = subscriptionText({ status: 'canceled', ends_at: '2026-12-24T09:00:00Z' });
    assert.match(text, /Nada mais será cobrado[\s\S]*Acesso até<\/dt><dd>24\/12\/2026/);
  });

  test('says that the latest charge is not paid, and promises no access', () => {
    const text = subscriptionText({ status: 'canceled' });
    assert.match(text, /A última cobrança não foi paga\. .* fale com Aurora Cursos/);
    assert.doesNotMatch(text, /Acesso até/);
    assert.match(subscriptionText({ status: 'canceled' }, en), /The latest charge is not paid/);
  });
});

test('the page of a pending subscription whose charge has failed does not ask to subscribe again', () => {
  const payment = { ...PAYMENT, status: 'refused', payment_method: 'credit_card' } as const;
  const pending = subscriptionText({ status: 'payment_pending', payment });
  assert.match(pending, /Estamos aguardando o primeiro pagamento/);
  assert.doesNotMatch(pending, /href="\/s\/b"/);
  assert.match(subscriptionText({ status: 'ended', payment }), /href="\/s\/b"/);
});

describe('the page of a payment', () => {
  test('does not tell the buyer of an expired boleto that nothing was charged', () => {
    const expired = { status: 'expired', payment_method: 'bank_slip' } as const;
    const inPortuguese = seen(expired);
    assert.equal(inPortuguese.title, 'Este boleto venceu');
    assert.match(
      inPortuguese.text,
      /Se você já pagou, não pague de novo: a confirmação leva até 2 dias úteis/,
    );
    assert.doesNotMatch(inPortuguese.text, /Nada foi cobrado/);
    const inEnglish = seen(expired, en);
    assert.match(inEnglish.text, /If you have paid it, do not pay again: .* up to 2 business days/);
    assert.doesNotMatch(inEnglish.text, /Nothing was charged/);
    assert.match(seen({ status: 'expired' }).text, /Nada foi cobrado/);
  });

  test('offers another way while the buyer has to pay, and not while a charge is in progress', () => {
    const pix = {
      qr_code: null,
      qr_code_image: null,
      expires_at: '2026-11-24T12:30:00Z',
      expires_in_s: 1_800,
    };
    const waiting = { status: 'waiting_payment', pix } as Partial<CheckoutPayment>;
    assert.match(seen(waiting, pt, true).text, /<a href="\/l\/b">Pagar de outra forma<\/a>/);
    assert.match(seen(waiting, en, true).text, /If you have paid this one, do not pay again\./);
    assert.doesNotMatch(seen(waiting, pt, false).text, /outra forma/);
    assert.doesNotMatch(seen({ status: 'processing' }, pt, true).text, /outra forma/);
  });

  test('tells its script in which field the code to copy is, and whether it is there', () => {
    const state = (readiness: string, field: string) =>
      new RegExp(`data-state="waiting_payment ${readiness}" data-code-field="${field}"`);
    const waiting = (fields: object) => seen({ status: 'waiting_payment', ...fields } as never).text;
    const pix = { qr_code: null, expires_at: '2026-11-24T12:30:00Z', expires_in_s: 1_800 };
    assert.match(waiting({ pix }), state('preparing', 'pix\\.qr_code'));
    assert.match(waiting({ pix: { ...pix, qr_code: '00020126' } }), state('ready', 'pix\\.qr_code'));
    const boleto = { digitable_line: '9'.repeat(47), due_at: '2026-12-01', pdf_url: null };
    assert.match(
      waiting({ payment_method: 'bank_slip', bank_slip: boleto }),
      state('ready', 'bank_slip\\.digitable_line'),
    );
    assert.match(waiting({ payment_method: 'credit_card' }), state('preparing', ''));
  });

  test('has the day on which it was paid, also after a part was refunded, and that of a full refund', () => {
    const later = { paid_at: '2026-11-24T12:00:00Z', updated_at: '2026-12-05T12:00:00Z' };
    assert.match(seen(later).text, /Data<\/dt><dd>24\/11\/2026, 09:00/);
    assert.match(seen({ ...later, status: 'refunded' }).text, /Data<\/dt><dd>05\/12\/2026, 09:00/);
    const authorized = { ...later, paid_at: null, status: 'authorized' } as const;
    assert.match(seen(authorized).text, /Data<\/dt><dd>05\/12\/2026, 09:00/);
    const text = subscriptionText({ status: 'active', payment: { ...PAYMENT, ...later } });
    assert.match(text, /Último pagamento<\/dt><dd>R\$\u00a0159,90 em 24\/11\/2026/);
  });

  test('says that a part was refunded only if it was a part, also while the payment stays paid', () => {
    const part = seen({ refunded_amount: 15_989 });
    assert.equal(part.title, 'Pagamento devolvido em parte');
    assert.match(part.text, /R\$\u00a0159,89 de R\$\u00a0159,90 devolvidos/);
    const all = seen({ refunded_amount: 15_990 });
    assert.equal(all.title, 'Pagamento aprovado');
    assert.doesNotMatch(all.text, /devolvidos/);
    assert.match(all.text, /Devolvido<\/dt><dd>R\$\u00a0159,90/);
  });

  test('does not speak of a card if a Pix or a boleto is refused', () => {
    const refusal = { code: 'do_not_honor', message: 'Refused.', retryable: true } as never;
    const refused = { status: 'refused', refusal } as const;
    assert.match(seen(refused).text, /O banco não aceitou este Pix\. Tente de novo em instantes\./);
    assert.match(seen(refused, en).text, /The bank did not accept this Pix\. Try again shortly\./);
    const boleto = { ...refused, payment_method: 'bank_slip' } as const;
    assert.match(seen(boleto).text, /não aceitou este boleto\. Confira o CPF ou CNPJ/);
    assert.match(seen(boleto, en).text, /did not accept this boleto\. Check the CPF or CNPJ/);
    for (const method of ['pix', 'bank_slip'] as const) {
      const { text } = seen({ ...refused, payment_method: method, refusal: null });
      assert.doesNotMatch(text, /cartão/);
    }
    const card = { ...refused, payment_method: 'credit_card' } as const;
    assert.match(seen(card).text, /O banco não autorizou a compra\./);
  });

  test('has dates that cannot be misread', () => {
    assert.match(seen({}, pt).text, /24\/11\/2026, 09:00/);
    assert.match(seen({}, en).text, /Nov 24, 2026, 9:00/);
  });

  test('says of a boleto when it is due, and where it stays', () => {
    const bank_slip = { digitable_line: '9'.repeat(47), due_at: '2026-12-01', pdf_url: null };
    const boleto = { status: 'waiting_payment', payment_method: 'bank_slip', bank_slip } as never;
    assert.match(seen(boleto).text, /01\/12\/2026[\s\S]*Guarde o endereço desta página/);
    assert.match(seen(boleto, en).text, /Dec 1, 2026[\s\S]*Keep the address of this page/);
  });

  test('says that a card is authorized, and that a payment was canceled', () => {
    const credit_card = { brand: 'visa', last_4: '4242' } as never;
    const authorized = seen({ status: 'authorized', payment_method: 'credit_card', credit_card });
    assert.deepEqual([authorized.title, authorized.isOpen], ['Pagamento autorizado', false]);
    assert.match(authorized.text, /A loja confirma a cobrança\.[\s\S]*Visa ••••\u00a04242/);
    const canceled = seen({ status: 'canceled' });
    assert.equal(canceled.title, 'Pagamento cancelado');
    assert.match(canceled.text, /href="\/l\/b">Tentar de novo/);
  });
});

describe('the page of a service that is busy', () => {
  const asked = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
    errorPage(
      { method, url, headers: { accept: 'text/html,*/*;q=0.8', ...headers } } as IncomingMessage,
      503,
    );

  test('is in the language of the browser, and loads itself again', () => {
    for (const path of ['/l/x', '/c/x', '/s/x?amount=1', '/p/x', '/a/x']) {
      const { text, headers } = asked(path)!;
      assert.match(text, /<html lang="pt-BR">[\s\S]*http-equiv="refresh"[\s\S]*Página indisponível/);
      assert.equal(headers['Content-Length'], String(Buffer.byteLength(text)));
      assert.equal(headers['Retry-After'], '5');
    }
    assert.match(
      asked('/l/x', { 'accept-language': 'en-US' })!.text,
      /The page could not be loaded\. It tries again/,
    );
  });

  test('does not load itself again after a form, which a reload by the buyer sends again', () => {
    const { text } = asked('/l/x', { 'accept-language': 'en' }, 'POST')!;
    assert.match(text, /reload this page and confirm that the form is sent again: you do not pay twice/);
    assert.doesNotMatch(text, /http-equiv="refresh"/);
  });

  test('is only for browsers that ask for a page of buyers', () => {
    for (const path of ['/api/v1/checkout/x', '/docs', '/l', '/l/', '/checkout/assets/checkout.js'])
      assert.equal(asked(path), undefined, path);
    assert.equal(asked('/l/x', { accept: '*/*' }), undefined);
    assert.equal(errorPage({ method: 'GET', url: '/l/x', headers: {} } as IncomingMessage, 503), undefined);
  });
});
