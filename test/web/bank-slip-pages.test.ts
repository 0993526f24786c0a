import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { addDays } from '../../domain/business-days.ts';
import { merchantDay } from '../../domain/local-time.ts';
import { printedLine } from '../../domain/payments/bank-slip.ts';
import { findBankSlip } from '../../services/payments/methods/find-bank-slip.ts';
import { bankSlipPdf } from '../../web/bank-slip-pdf.ts';
import { untilGauges } from '../support/http/gauges.ts';
import { ADDRESS, CNPJ } from '../support/orders/parties.ts';
import { readPdf, scanBarcode } from '../support/payments/pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { created, Shop } from '../support/shop.ts';
import { issuedBody } from '../support/subscriptions/issued-charges.ts';
import { subscribe } from '../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service, { legalName: 'Aurora Cursos Online Ltda', document: CNPJ });

/** `2026-11-24` as `24/11/2026`. */
const printed = (day: string) => day.split('-').reverse().join('/');

async function download(pdfUrl: string): Promise<Uint8Array> {
  const answer = await fetch(pdfUrl);
  assert.equal(answer.status, 200);
  return answer.bytes();
}

const textOf = async (pdfUrl: string) => (await readPdf(await download(pdfUrl))).text;

/** Fetches a page that is not a PDF. */
async function notice(url: string) {
  const answer = await fetch(url);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/);
  return { status: answer.status, html: await answer.text() };
}

describe('the PDF of a boleto', () => {
  test('is one page with all that a payer and a bank read, and a barcode that a scanner reads', async () => {
    const due_at = addDays(merchantDay(new Date()), 10);
    const { payment } = await shop.placed(shop.bankSlipOrderBody(123_456_789, { due_at }));
    const { digitable_line, barcode, pdf_url } = payment.bank_slip;
    assert.equal(pdf_url, `${service.url}/bank-slips/${payment.hash}.pdf`);
    const pdf = await download(pdf_url);
    assert.equal(await scanBarcode(pdf), barcode);
    const page = await readPdf(pdf);
    assert.equal(page.pages, 1);
    for (const text of [
      'Aurora Cursos Online Ltda - CNPJ 11.222.333/0001-81',
      'CPF 529.982.247-25',
      'Avenida Paulista, 1578 - Conjunto 42 - Bela Vista',
      '01310-200 São Paulo - SP',
      'R$ 1.234.567,89',
      printedLine(digitable_line),
      printed(due_at),
      printed(merchantDay(new Date(payment.created_at))),
      `Pedido ${payment.order_code}`,
      'BOLETO DE TESTE',
      // As the checkout page says.
      'confirmado em até 2 dias úteis',
    ]) {
      assert.ok(page.text.includes(text), `${text} is not in: ${page.text}`);
    }
    assert.doesNotMatch(page.text, /PAGO|VENCIDO/);
  });

  test('of a subscription names the subscription and the cycle', async () => {
    const { code, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    const text = await textOf(payment.bank_slip.pdf_url);
    assert.match(text, new RegExp(`Assinatura ${code} - ciclo 1`));
    assert.match(text, new RegExp(`Número do documento ${code}/1`));
    assert.doesNotMatch(text, /Pedido/);
  });

  test('needs no key, is not stored, and is shown by browsers and not by search engines', async () => {
    const { bank_slip } = await shop.bankSlipPayment();
    const { status, headers } = await fetch(bank_slip.pdf_url, { method: 'HEAD' });
    assert.equal(status, 200);
    assert.deepEqual(
      ['content-type', 'content-disposition', 'cache-control', 'x-robots-tag', 'content-security-policy'].map(
        (name) => headers.get(name),
      ),
      ['application/pdf', 'inline; filename="boleto.pdf"', 'no-store', 'noindex', "frame-ancestors 'none'"],
    );
    assert.ok(Number(headers.get('content-length')) > 1_000);
  });

  test('stays one page with long names and with characters that its fonts do not have', async () => {
    const long = 'Associação Ção '.repeat(16).trim();
    const { payment } = await shop.placed(
      shop.bankSlipOrderBody(5_000, undefined, {
        name: 'Łukasz Žižek 山田 🙂',
        addresses: [{ ...ADDRESS, line_1: long, neighborhood: long, city: long }],
      }),
    );
    const pdf = await download(payment.bank_slip.pdf_url);
    assert.equal(await scanBarcode(pdf), payment.bank_slip.barcode);
    const page = await readPdf(pdf);
    assert.equal(page.pages, 1);
    assert.match(page.text, /\?ukasz Žižek \?\? \?/);
    assert.match(page.text, /Associação Ção .*…/);
  });

  test('says that it is paid, or that it is overdue', async () => {
    const { id, bank_slip } = await shop.bankSlipPayment();
    await shop.simulate(id, 'expired');
    assert.match(await textOf(bank_slip.pdf_url), /VENCIDO/);
    await shop.simulate(id, 'paid');
    const paid = await textOf(bank_slip.pdf_url);
    assert.match(paid, /PAGO/);
    assert.doesNotMatch(paid, /VENCIDO/);
  });

  test('shows a stored name with line breaks and control characters in one line', async () => {
    const { hash } = await shop.bankSlipPayment();
    const found = await findBankSlip(service.deps, hash);
    assert.ok(found?.kind === 'printable');
    const payer = { ...found.slip.payer, name: 'Bia\r\nLima\u0007de\tSá\u0085) Tj /F1 (\\', document: null };
    const page = await readPdf(await bankSlipPdf({ ...found.slip, payer }));
    assert.equal(page.pages, 1);
    assert.ok(page.text.includes('Bia Lima de Sá ) Tj /F1 (\\'), page.text);
  });

  test('says in production nothing about a test', async () => {
    const production = { ...service.deps, environment: 'production' } as const;
    const { hash } = await shop.bankSlipPayment();
    const found = await findBankSlip(production, hash);
    assert.ok(found?.kind === 'printable');
    assert.doesNotMatch((await readPdf(await bankSlipPdf(found.slip))).text, /TESTE/);
  });
});

describe('a boleto without a PDF', () => {
  test('has been canceled: its page says not to pay it', async () => {
    const { id, bank_slip } = await shop.bankSlipPayment();
    await shop.cancel(id);
    const { status, html } = await notice(bank_slip.pdf_url);
    assert.equal(status, 410);
    assert.match(html, /<html lang="pt-BR">.*Boleto cancelado.*Não pague/s);
  });

  test('is not registered: the payment has no address of a PDF', async () => {
    const payment = await shop.bankSlipPayment(99_990_002);
    assert.equal(payment.bank_slip.pdf_url, null);
    assert.equal((await notice(`${service.url}/bank-slips/${payment.hash}.pdf`)).status, 404);
  });

  test('does not exist: 404', async () => {
    const { bank_slip } = await shop.bankSlipPayment();
    const { hash: ofPix } = await shop.pixPayment();
    const [, hash] = /([a-z2-7]+)\.pdf$/.exec(bank_slip.pdf_url)!;
    const otherSlot = (hash!.startsWith('a') ? 'b' : 'a') + hash!.slice(1);
    for (const unknown of [ofPix, otherSlot, 'x', hash!.toUpperCase(), `${hash}%00`, 'a'.repeat(4_000)]) {
      const { status, html } = await notice(`${service.url}/bank-slips/${unknown}.pdf`);
      assert.equal(status, 404, unknown);
      assert.match(html, /Boleto não encontrado/);
    }
  });

  test('belongs to a sandbox that was reset: 404', async () => {
    const reset = await Shop.open(service);
    const { bank_slip } = await reset.bankSlipPayment();
    assert.equal((await reset.post('/sandbox/reset')).status, 200);
    assert.equal((await notice(bank_slip.pdf_url)).status, 404);
  });
});

test('requests for a boleto in a locked table wait for their turn, and leave the connections to the database to others', async () => {
  const { payment } = await shop.placed(shop.bankSlipOrderBody(1_000));
  const lock = new pg.Client({ connectionString: service.databaseUrl });
  await lock.connect();
  try {
    await lock.query('begin');
    await lock.query('lock table payments in access exclusive mode');
    const answers = Array.from({ length: 40 }, () => fetch(payment.bank_slip.pdf_url));
    await untilGauges(service, 'some wait', ({ in_flight, queued }) => in_flight === 40 && queued > 10);
    assert.deepEqual((await shop.get('/products')).data, []);
    await lock.query('rollback');
    for (const { status } of await Promise.all(answers)) assert.equal(status, 200);
  } finally {
    await lock.end();
  }
});
