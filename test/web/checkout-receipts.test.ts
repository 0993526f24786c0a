/** The page of a payment that is not open, and what happens to the payment later. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { assertAccessible } from './support/accessibility.ts';
import type { Buyer } from './support/buyer.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

/** What a browser does when the buyer comes back to the page from another tab or app. */
function comeBack({ page }: Buyer): Promise<void> {
  return page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
}

describe('the page of a payment', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function paymentId(): Promise<string> {
    return (await site.shop.get('/payments')).data[0].id;
  }

  for (const [locale, look] of Object.entries({
    'pt-BR': {
      colorScheme: 'light',
      titles: [
        'Pagamento autorizado',
        'Pagamento aprovado',
        'Pagamento devolvido em parte',
        'Pagamento devolvido',
      ],
      captured: 'R$\u00a0100,00',
      given: 'R$\u00a030,00 de R$\u00a0100,00 devolvidos.',
    },
    'en-GB': {
      colorScheme: 'dark',
      titles: ['Payment authorized', 'Payment approved', 'Payment partly refunded', 'Payment refunded'],
      captured: 'R$100.00',
      given: 'R$30.00 of R$100.00 given back.',
    },
  } as const))
    test(`shows a buyer who comes back what was captured and given back since (${locale})`, async () => {
      const link = await CheckoutPage.ofLink(site.shop, { amount: 15_000, card_capture: false });
      const { hash } = await link.paid(await link.cardBody());
      const id = await paymentId();
      const { titles, captured, given, colorScheme } = look;
      await using buyer = await site.at(`/p/${hash}`, { screen: PHONE, locale, colorScheme });
      const { page } = buyer;
      const heading = async (name: string) => {
        await page.getByRole('heading', { name, exact: true }).waitFor();
        await assertAccessible(page);
        assert.equal(await overflow(page), 0);
      };
      await heading(titles[0]);
      await site.shop.capture(id, 10_000);
      await comeBack(buyer);
      await heading(titles[1]);
      assert.equal(await page.locator('#price').textContent(), captured);
      await site.shop.refund(id, 3_000);
      await comeBack(buyer);
      await heading(titles[2]);
      await page.getByText(given).waitFor();
      await site.shop.refund(id);
      await comeBack(buyer);
      await heading(titles[3]);
      await site.assertSmall(`/p/${hash}`);
      assert.deepEqual(buyer.watched.complaints, []);
    });
});
