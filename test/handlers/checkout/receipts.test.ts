/** Receipts of payments at payment links. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { sendDueEmails } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

/** Pays by Pix at a page, and returns the e-mails to its buyer. */
async function emailsAfterPayment(shop: Shop, page: CheckoutPage, fields: object = {}) {
  await page.paid(
    pixBody({ customer: customerBody({ name: 'Bia Lima', email: 'bia@example.com' }), ...fields }),
  );
  const [payment] = (await shop.get('/payments?per_page=1')).data;
  await shop.simulate(payment.id, 'paid');
  await sendDueEmails(service.deps);
  return (await shop.get(`/sandbox/emails?payment_id=${payment.id}`)).data;
}

describe('a buyer at a payment link', () => {
  test('gets a receipt in the language of the page, if the link has receipts', async () => {
    const shop = await Shop.open(service, { name: 'Aurora' });
    const page = await CheckoutPage.ofLink(shop, {
      title: 'Oficina',
      send_email_receipt: true,
      brand_color: '#7a1f5c',
    });
    const [english] = await emailsAfterPayment(shop, page, { language: 'en' });
    assert.deepEqual(
      [english.status, english.to, english.language, english.subject],
      ['sent', 'bia@example.com', 'en', 'Your receipt from Aurora'],
    );
    assert.match(english.text, /\nDescription: Oficina\n/);
    assert.match(english.html, /#7a1f5c/);
    const [portuguese] = await emailsAfterPayment(shop, page);
    assert.equal(portuguese.subject, 'Recibo do seu pagamento a Aurora');
  });

  test('gets none if the link has none, at an offer, and for an order of the merchant', async () => {
    const shop = await Shop.open(service);
    assert.deepEqual(await emailsAfterPayment(shop, await CheckoutPage.ofLink(shop)), []);
    assert.deepEqual(await emailsAfterPayment(shop, await CheckoutPage.ofOffer(shop)), []);
    await shop.cardPayment();
    await sendDueEmails(service.deps);
    assert.deepEqual((await shop.get('/sandbox/emails')).data, []);
  });

  test('gets one when a card that was only authorized is captured', async () => {
    const shop = await Shop.open(service);
    const page = await CheckoutPage.ofLink(shop, { card_capture: false, send_email_receipt: true });
    await page.paid(await page.cardBody());
    assert.deepEqual((await shop.get('/sandbox/emails')).data, []);
    const [payment] = (await shop.get('/payments')).data;
    await shop.capture(payment.id, 10_000);
    await sendDueEmails(service.deps);
    const [receipt, ...more] = (await shop.get('/sandbox/emails')).data;
    assert.deepEqual(more, []);
    assert.match(receipt.text, /^Pagamento recebido: R\$\u00a0100,00\n/);
  });
});
