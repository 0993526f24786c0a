import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { PAYMENT_LISTENERS } from '../../../jobs/index.ts';
import { type ReceiptRequest, receiptsOfPayments } from '../../../services/emails/queue-receipts.ts';
import { smtpMailer } from '../../../services/emails/smtp-mailer.ts';
import { MailServer } from '../../support/processes/mail-server.ts';
import { sendDueEmails } from '../../support/run-jobs.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';

const RECEIPT: ReceiptRequest = {
  to: 'bia@example.com',
  language: 'pt',
  details: { buyerName: 'Bia Lima', title: 'Oficina de cerâmica', brandColor: '#7a1f5c' },
};
const MAIL_FROM = 'recibos@centavo.example.com';

/** A service that queues this receipt for every payment. */
function startWithReceipts(
  mail: MailServer | null,
  wanted: ReceiptRequest = RECEIPT,
  { overrides, ...options }: TestServiceOptions = {},
): Promise<TestService> {
  return startTestService({
    jobs: false,
    ...(mail === null ? {} : { env: { SMTP_URL: mail.url, MAIL_FROM } }),
    ...options,
    overrides: {
      paymentListeners: [...PAYMENT_LISTENERS, receiptsOfPayments(async () => wanted)],
      ...overrides,
    },
  });
}

const emailsOf = async (shop: Shop, query = '') => (await shop.get(`/sandbox/emails${query}`)).data;

describe('a receipt', () => {
  test('is sent through the mail server once when the money arrives, as text and HTML in Portuguese', async () => {
    await using mail = await MailServer.start();
    await using service = await startWithReceipts(mail);
    const shop = await Shop.open(service, {
      name: 'Aurora Cursos',
      legalName: 'Aurora Cursos Ltda',
      document: '11222333000181',
    });
    const payment = await shop.pixPayment(4_990);
    assert.equal(await sendDueEmails(service.deps), 0, 'nothing before it is paid');
    await shop.simulate(payment.id, 'paid');
    assert.equal((await emailsOf(shop))[0].status, 'queued');
    await Promise.all([sendDueEmails(service.deps), sendDueEmails(service.deps)]);
    await created(shop.refund(payment.id, 1_000));
    await sendDueEmails(service.deps);

    const [received, ...more] = mail.received;
    assert.deepEqual(more, []);
    const [stored] = await emailsOf(shop);
    assert.deepEqual(received?.from, { name: 'Aurora Cursos', address: MAIL_FROM });
    assert.deepEqual(
      received?.to?.map(({ address }) => address),
      ['bia@example.com'],
    );
    assert.equal(received?.subject, 'Recibo do seu pagamento a Aurora Cursos');
    assert.equal(received?.messageId, `<${stored.id}@centavo.example.com>`);
    const { text = '', html = '' } = received!;
    for (const words of [
      'Pagamento recebido: R$\u00a049,90',
      'Olá, Bia Lima! Aurora Cursos recebeu o seu pagamento. Obrigado!',
      'Descrição: Oficina de cerâmica',
      'Forma de pagamento: Pix',
      `Pedido: ${payment.order_code}`,
      'Vendido por Aurora Cursos Ltda, CNPJ 11.222.333/0001-81.',
    ]) {
      assert.ok(text.includes(words), `${words} is in\n${text}`);
    }
    assert.match(html, /<html lang="pt-BR">[\s\S]*#7a1f5c[\s\S]*Oficina de cerâmica/);
    assert.doesNotMatch(html, /https?:/, 'nothing is loaded from other servers');
    assert.deepEqual(
      [stored.status, stored.to, stored.payment_id, stored.subject, stored.error],
      ['sent', 'bia@example.com', payment.id, received?.subject, null],
    );
  });

  test('is in English for a buyer who reads English, names the card and the installments, and reads a short color', async () => {
    const details = { ...RECEIPT.details, brandColor: '#fa08' };
    await using service = await startWithReceipts(null, { ...RECEIPT, language: 'en', details });
    const shop = await Shop.open(service, { name: 'Aurora' });
    await shop.cardPayment({ amount: 10_000, installments: 3 });
    await shop.cardPayment({ amount: 9_000, installments: 3 });
    await sendDueEmails(service.deps);
    const [even, odd] = await emailsOf(shop);
    assert.equal(odd.subject, 'Your receipt from Aurora');
    assert.match(odd.text, /^Payment received: R\$100\.00\n/);
    assert.match(odd.text, /\nPayment method: Credit card Visa •••• 4242\n/);
    assert.match(odd.text, /\nInstallments: R\$33\.34 \+ 2 × R\$33\.33\n/);
    assert.match(odd.html, /background:#ffaa00;/);
    assert.match(even.text, /\nInstallments: 3 × R\$30\.00\n/);
  });

  test('shows hostile names as text, and puts none of them into the headers', async () => {
    await using mail = await MailServer.start();
    const hostile = '<img src=x onerror=alert(1)> & "Bia"';
    const details = { buyerName: hostile, title: hostile, brandColor: 'red;}</style><script>' };
    await using service = await startWithReceipts(mail, { ...RECEIPT, details });
    const shop = await Shop.open(service, {
      name: 'A "Loja" <x@evil.example>, São João\r\nBcc: eve@evil.example',
    });
    await shop.cardPayment();
    await sendDueEmails(service.deps);
    const [received] = mail.received;
    assert.doesNotMatch(received!.html!, /<img|<script|red;/);
    assert.match(received!.html!, /&lt;img src=x onerror=alert\(1\)&gt; &amp; &quot;Bia&quot;/);
    assert.equal(received!.from!.address, MAIL_FROM);
    assert.equal(received!.bcc, undefined);
    assert.deepEqual(
      received!.to!.map(({ address }) => address),
      ['bia@example.com'],
    );
  });

  test('is not queued for a payment that is refused', async () => {
    await using service = await startWithReceipts(null);
    const shop = await Shop.open(service);
    await shop.cardPayment({ number: '4000000000000002' });
    await shop.authorized();
    assert.deepEqual(await emailsOf(shop), []);
  });
});

describe('a mail server that does not accept a receipt', () => {
  test('gets it again, a minute later, when it was down', async () => {
    const down = await MailServer.start();
    const { port } = down;
    await using service = await startWithReceipts(down);
    await down[Symbol.asyncDispose]();
    const shop = await Shop.open(service);
    await shop.cardPayment();
    await sendDueEmails(service.deps);
    const [waiting] = await emailsOf(shop);
    assert.equal(waiting.status, 'queued');
    assert.match(waiting.error, /ECONNREFUSED/);

    await using mail = await MailServer.start(port);
    service.setAhead(MINUTE_MS - 10_000);
    assert.equal(await sendDueEmails(service.deps), 0);
    service.setAhead(MINUTE_MS + 1_000);
    await sendDueEmails(service.deps);
    assert.equal(mail.received.length, 1);
    assert.deepEqual([(await emailsOf(shop))[0].status, (await emailsOf(shop))[0].error], ['sent', null]);
    assert.deepEqual(
      service.log.filter(({ message }) => /e-mail/.test(message)).map(({ message }) => message),
      ['e-mail not accepted, retrying'],
    );
  });

  test('does not get it again when it refuses the address for good', async () => {
    await using mail = await MailServer.start();
    mail.refusal = { code: 550, text: 'No such mailbox <ana@example.com>' };
    await using service = await startWithReceipts(mail);
    const shop = await Shop.open(service);
    await shop.cardPayment();
    await sendDueEmails(service.deps);
    const [failed] = await emailsOf(shop);
    const { fields } = service.log.find(({ message }) => message === 'e-mail failed')!;
    assert.deepEqual([fields.response_code, fields.command], [550, 'RCPT TO']);
    assert.doesNotMatch(JSON.stringify(service.log), /No such mailbox/, 'the text may quote the recipient');
    assert.equal(failed.status, 'failed');
    assert.match(failed.error, /550.*No such mailbox/);
    mail.refusal = null;
    service.setAhead(48 * 60 * MINUTE_MS);
    assert.equal(await sendDueEmails(service.deps), 0);
  });

  test('gets it again when it does not accept the sender, which is the same for all e-mails', async () => {
    await using mail = await MailServer.start();
    mail.senderRefusal = { code: 553, text: 'Sender address rejected' };
    await using service = await startWithReceipts(mail);
    const shop = await Shop.open(service);
    await shop.cardPayment();
    await sendDueEmails(service.deps);
    assert.equal((await emailsOf(shop))[0].status, 'queued');
    mail.senderRefusal = null;
    service.setAhead(MINUTE_MS + 1_000);
    await sendDueEmails(service.deps);
    assert.deepEqual([mail.received.length, (await emailsOf(shop))[0].status], [1, 'sent']);
  });

  test('gets it eight times within three days, and then it has failed', async () => {
    await using mail = await MailServer.start();
    mail.refusal = { code: 451, text: 'Try again later' };
    await using service = await startWithReceipts(mail);
    const shop = await Shop.open(service);
    await shop.cardPayment();
    let ahead_ms = 0;
    let attempts = 0;
    for (; (await emailsOf(shop))[0].status === 'queued'; ahead_ms += 180 * MINUTE_MS) {
      service.setAhead(ahead_ms);
      attempts += await sendDueEmails(service.deps);
    }
    assert.equal(attempts, 8);
    assert.ok(ahead_ms < 72 * 60 * MINUTE_MS);
    assert.equal((await emailsOf(shop))[0].status, 'failed');
  });

  test('without TLS gets nothing where TLS is required', async () => {
    await using mail = await MailServer.start();
    const mailer = smtpMailer({ url: mail.url, from: MAIL_FROM, requiresTls: true });
    const email = {
      id: 'e',
      to: 'bia@example.com',
      senderName: 'Aurora',
      subject: 's',
      text: 't',
      html: 'h',
    };
    const result = await mailer.send(email);
    mailer.close();
    assert.equal(result.kind, 'failed');
    assert.deepEqual(mail.received, []);
  });
});

describe('a stored text with line breaks', () => {
  const text = 'Curso\r\nBcc: eva@example.com\r\n\r\nPague de novo\u0007 em http://example.com\u2028!';
  const shown = 'Curso Bcc: eva@example.com Pague de novo em http://example.com !';

  test('adds no header and no line to a receipt', async () => {
    await using mail = await MailServer.start();
    const details = { buyerName: text, title: text, brandColor: null };
    await using service = await startWithReceipts(mail, { ...RECEIPT, details });
    const shop = await Shop.open(service, { name: text, legalName: text });
    await shop.pixPayment().then(({ id }) => shop.simulate(id, 'paid'));
    await sendDueEmails(service.deps);
    const [received] = mail.received;
    assert.deepEqual(received?.from, { name: shown, address: MAIL_FROM });
    assert.equal(received?.subject, `Recibo do seu pagamento a ${shown}`);
    assert.equal(received?.bcc, undefined);
    const lines = received!.text!.trim().split('\n');
    assert.ok(lines.includes(`Descrição: ${shown}`), received!.text);
    assert.ok(lines.includes(`Olá, ${shown}! ${shown} recebeu o seu pagamento. Obrigado!`), received!.text);
    assert.doesNotMatch(received!.html!, /[^\P{Cc}\n]|\u2028/u);
  });
});

describe('a buyer whose name is only white space', () => {
  for (const [language, greeting] of [
    ['pt', 'Olá! Aurora Cursos recebeu o seu pagamento. Obrigado!'],
    ['en', 'Hello, Aurora Cursos has received your payment. Thank you!'],
  ] as const) {
    test(`is greeted without a name (${language})`, async () => {
      await using mail = await MailServer.start();
      const details = { ...RECEIPT.details, buyerName: ' \u00a0\u200b' };
      await using service = await startWithReceipts(mail, { ...RECEIPT, language, details });
      const shop = await Shop.open(service, { name: 'Aurora Cursos' });
      await shop.pixPayment().then(({ id }) => shop.simulate(id, 'paid'));
      await sendDueEmails(service.deps);
      const lines = mail.received[0]!.text!.split('\n');
      assert.ok(lines.includes(greeting), mail.received[0]!.text);
    });
  }
});

describe('GET /sandbox/emails', () => {
  test("lists what a buyer would get, newest first, and nothing of another merchant's buyers", async () => {
    await using service = await startWithReceipts(null);
    const shop = await Shop.open(service);
    const first = await shop.cardPayment();
    const second = await shop.cardPayment();
    await sendDueEmails(service.deps);
    const listed = await emailsOf(shop);
    assert.deepEqual(
      listed.map((email: { payment_id: string }) => email.payment_id),
      [second.id, first.id],
    );
    assert.deepEqual(await emailsOf(shop, `?payment_id=${first.id}`), [listed[1]]);
    assert.deepEqual((await emailsOf(shop, '?per_page=1')).length, 1);
    assert.deepEqual(await emailsOf(await Shop.open(service)), []);
    await shop.post('/sandbox/reset');
    assert.deepEqual(await emailsOf(shop), []);
  });
});

describe('production', () => {
  test('does not store the text of an e-mail that it has sent', async () => {
    await using mail = await MailServer.start();
    await using service = await startWithReceipts(mail, RECEIPT, {
      overrides: { environment: 'production' },
    });
    const shop = await Shop.open(service);
    await shop.pixPayment().then(({ id }) => shop.simulate(id, 'paid'));
    await sendDueEmails(service.deps);
    assert.equal(mail.received.length, 1);
    const rows = await service.rows<{ content: unknown }>('select status, content from emails');
    assert.deepEqual(rows, [{ status: 'sent', content: null }]);
  });
});
