/** The pages of buyers without scripts, by what the operations answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from 'express';
import { checkoutForms, checkoutPages } from '../../../web/checkout/checkout-pages.ts';

const CHECKOUT = {
  hash: 'x',
  payable: true,
  reason: null,
  merchant_name: 'Aurora Cursos',
  title: 'Curso',
  description: null,
  amount: 15_990,
  currency: 'BRL',
  payment_methods: ['pix', 'bank_slip'],
  max_installments: 1,
  installments: [],
  collect_phone: false,
  require_address: false,
  logo_url: null,
  brand_color: null,
  recurrence_interval: null,
  trial_days: 0,
  recurrence: null,
  card_encryption_key: { jwk: {} },
};
const FORM = {
  key: 'k'.repeat(32),
  price: '15990',
  payment_method: 'pix',
  email: 'bia@example.com',
  name: 'Bia Lima',
};

interface Answer {
  readonly status: number;
  readonly body: object;
}

/**
 * The page for an answer to the form or, without a form, to the reading of the checkout. `reads`: the answers to the
 * readings of the checkout of a form, in their order.
 */
async function pageFor(
  answer: Answer,
  form?: Record<string, string>,
  reads: Answer[] = [{ status: 200, body: CHECKOUT }],
): Promise<string> {
  const app = express();
  const call = async (_request: unknown, _response: unknown, { method }: { method: string }) =>
    form !== undefined && method === 'GET' ? reads.shift()! : answer;
  const site = { files: [], load: () => Promise.reject(new Error('There are no files.')) };
  app.use(checkoutForms(), checkoutPages(site, { isSandbox: true, call }));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/l/x`;
  const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
  const text = await (await fetch(url, init)).text();
  server.close();
  return text;
}

const failureOf = (page: string) => /id="failure"[^>]*>([^<]*)</.exec(page)![1]!;
const keyOf = (page: string) => /name="key" value="([^"]+)"/.exec(page)![1]!;
const refused = (status: number, code: string): Answer => ({ status, body: { error: { code } } });

test('a form whose outcome is not known keeps its key, and does not say that nothing was charged', async () => {
  for (const answer of [refused(503, 'service_unavailable'), refused(500, 'internal_error')]) {
    const page = await pageFor(answer, FORM);
    assert.match(failureOf(page), /Não recebemos a resposta do servidor\..*você não paga duas vezes/);
    assert.equal(keyOf(page), FORM.key);
  }
  const page = await pageFor(refused(503, 'overloaded'), FORM);
  assert.match(failureOf(page), /Nada foi cobrado\./);
  assert.equal(keyOf(page), FORM.key);
});

test('a form that was sent before with other details says so, and gets a new key', async () => {
  const page = await pageFor(refused(422, 'idempotency_key_reused'), FORM);
  assert.match(failureOf(page), /Já recebemos um pagamento desta página com outros dados\./);
  assert.notEqual(keyOf(page), FORM.key);
});

test('a form whose checkout cannot be read is sent again by a reload, with its key', async () => {
  const closed: Answer = { status: 422, body: { errors: { status: ['Is exhausted.'] } } };
  for (const unread of [refused(429, 'rate_limited'), refused(503, 'service_unavailable')]) {
    for (const reads of [[unread], [{ status: 200, body: CHECKOUT }, unread]]) {
      const page = await pageFor(closed, FORM, reads);
      assert.match(page, /recarregue esta página e confirme o envio do formulário: você não paga duas vezes/);
      assert.doesNotMatch(page, /abra a página de novo|Nada foi cobrado|http-equiv="refresh"/);
    }
    assert.match(await pageFor(unread), /abra a página de novo|Tente de novo em instantes/);
  }
});

test('a form for a closed page whose outcome is not known is sent again by a reload', async () => {
  const closed: Answer = { status: 200, body: { ...CHECKOUT, payable: false, reason: 'disabled' } };
  for (const answer of [refused(503, 'service_unavailable'), refused(503, 'overloaded')]) {
    const page = await pageFor(answer, FORM, [closed]);
    assert.match(page, /recarregue esta página e confirme o envio do formulário: você não paga duas vezes/);
  }
});

test('a form of a buyer with too many payments that are not paid says so', async () => {
  const page = await pageFor(refused(429, 'too_many_unpaid_charges'), FORM);
  assert.match(failureOf(page), /muitos pagamentos aqui que ainda não foram pagos/);
});

test('a form with a method that is not taken any more marks it', async () => {
  const page = await pageFor(
    { status: 422, body: { errors: { payment_method: ['Is not offered.'] } } },
    FORM,
  );
  assert.match(page, /id="payment_method-problem">Escolha uma forma de pagamento\./);
});

test('a checkout that cannot be read is not available', async () => {
  assert.match(await pageFor(refused(503, 'service_unavailable')), /Página indisponível/);
});
