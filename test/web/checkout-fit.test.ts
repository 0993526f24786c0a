/** What buyers read at checkout pages is whole, and is true of the page where it is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CheckoutPage, pixBody } from '../support/pages/checkout-page.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { DESKTOP, missingBrowser, PHONE, type Screen } from './support/chromium.ts';

const SMALLEST: Screen = { width: 320, height: 568 };
const NO_FUNDS = '4000 0000 0000 9995';

/** Whether an input, or the text of another element, shares a place of the page with the brand of the card. */
function coversBrand(page: Page, selector: string): Promise<boolean> {
  return page.evaluate(`(() => {
    const placeOf = (box) => {
      const range = document.createRange();
      range.selectNodeContents(box);
      return (box.matches('input') ? box : range).getBoundingClientRect();
    };
    const [a, b] = ['#card-brand', '${selector}'].map((each) => placeOf(document.querySelector(each)));
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  })()`);
}

/** By how many pixels the lines of an element are higher than the place for them. */
function cutLines(page: Page, selector: string): Promise<number> {
  return page.locator(selector).evaluate((area: unknown) => {
    const { scrollHeight, clientHeight } = area as { scrollHeight: number; clientHeight: number };
    return scrollHeight - clientHeight;
  });
}

/** The contrast of the placeholder of the e-mail (WCAG 2, relative luminance). */
function placeholderContrast(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const input = document.getElementById('email');
    const rgbOf = (color) => color.match(/[\\d.]+/g).slice(0, 3).map(Number);
    const back = rgbOf(getComputedStyle(input).backgroundColor);
    const { color, opacity } = getComputedStyle(input, '::placeholder');
    const seen = rgbOf(color).map((part, at) => part * Number(opacity) + back[at] * (1 - Number(opacity)));
    const luminance = (rgb) => {
      const [r, g, b] = rgb.map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [low, high] = [luminance(seen), luminance(back)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  })()`);
}

describe('what a buyer reads', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  test('the brand of a card is beside its number, not on it', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
    for (const screen of [SMALLEST, PHONE, DESKTOP]) {
      await using buyer = await site.atLink(link, { screen });
      const { page } = buyer;
      for (const [number, brand] of [
        ['3782 822463 10005', 'Amex'],
        ['5555 5555 5555 4444', 'Mastercard'],
      ] as const) {
        await page.getByLabel('Número do cartão').fill(number);
        await page.getByText(brand, { exact: true }).waitFor();
        for (const other of ['#card-number', 'label[for="card-number"]'])
          assert.equal(await coversBrand(page, other), false, `${screen.width}: ${brand}, ${other}`);
      }
    }
  });

  test('no line of a Pix code is cut, and an installment that does not fit ends in an ellipsis', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_installments: 12 });
    const { hash } = await link.paid(pixBody());
    for (const screen of [SMALLEST, PHONE, DESKTOP]) {
      await using buyer = await site.at(`/p/${hash}`, { screen });
      await buyer.heading('Pague com Pix');
      assert.ok((await cutLines(buyer.page, '#code')) <= 0, String(screen.width));
    }
    await using buyer = await site.atLink(link, { screen: PHONE });
    await buyer.choose('Cartão de crédito');
    const style = await buyer.page.evaluate(
      "getComputedStyle(document.getElementById('installments')).textOverflow",
    );
    assert.equal(style, 'ellipsis');
  });

  test('a phone number is grouped while it is typed, and one of another form is left as it is', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { collect_phone: true });
    await using buyer = await site.atLink(link);
    const phone = buyer.page.getByLabel('Celular');
    for (const [typed, shown] of [
      ['11', '(11'],
      ['11987', '(11) 987'],
      ['1132654321', '(11) 3265-4321'],
      ['11987654321', '(11) 98765-4321'],
      ['(11) 98765-4321', '(11) 98765-4321'],
      ['+55 11 98765 4321', '+55 11 98765 4321'],
      ['011987654321', '011987654321'],
    ] as const) {
      await phone.fill('');
      await phone.pressSequentially(typed);
      assert.equal(await phone.inputValue(), shown);
    }
    await phone.fill('11987654321');
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    const [{ order_id }] = (await site.shop.get('/payments')).data;
    const { buyer: sent } = await site.shop.get(`/charges/orders/${order_id}`);
    assert.deepEqual(sent.phone, { type: 'mobile', ddi: '55', ddd: '11', number: '987654321' });
  });

  test('a field loses its mark when the buyer changes it, and the others keep theirs', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.pay();
    await page.getByText('Digite o seu nome.').waitFor();
    const marked = () => page.locator('[aria-invalid="true"]').count();
    const before = await marked();
    await page.getByLabel('Nome completo').fill('B');
    assert.equal(await page.locator('#name-problem').innerText(), '');
    await page.getByLabel('Número do cartão').fill('4');
    assert.equal(await page.locator('#card-number-problem').innerText(), '');
    assert.equal(await marked(), before - 2);
    await buyer.pay();
    await page.getByText('Confira o número do cartão.').waitFor();
  });

  test('where cards are the only way, no sentence names another way', async () => {
    const cards = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card', 'debit_card'] });
    await using buyer = await site.atLink(cards);
    const { page } = buyer;
    await buyer.contact();
    await buyer.card(NO_FUNDS);
    await buyer.pay();
    const alert = page.getByRole('alert');
    await alert.getByText('Tente outro cartão.', { exact: false }).waitFor();
    assert.doesNotMatch(await page.content(), /outra forma/);
    const { hash } = await cards.paid(await cards.cardBody({}, { number: NO_FUNDS.replaceAll(' ', '') }));
    await page.goto(`${site.service.url}/p/${hash}`);
    await buyer.heading('Pagamento não autorizado');
    assert.doesNotMatch(await page.content(), /outra forma/);
    await using noScript = await site.atLink(cards, { javaScriptEnabled: false });
    await noScript.page.getByText('precisa de JavaScript').first().waitFor();
    assert.doesNotMatch(await noScript.page.content(), /outra forma/);
  });

  test('the examples in empty fields have the contrast of text', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
    for (const colorScheme of ['light', 'dark'] as const) {
      await using buyer = await site.atLink(link, { colorScheme });
      const contrast = await placeholderContrast(buyer.page);
      assert.ok(contrast >= 4.5, `${colorScheme}: ${contrast}`);
    }
  });
});
