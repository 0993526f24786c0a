import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import type { Browser } from 'playwright-core';
import type { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { Buyer, type BuyerOptions } from './buyer.ts';
import { openBrowser } from './chromium.ts';

/** The style and the programs of every page. */
export const ASSETS = ['/checkout/assets/checkout.css', '/checkout/assets/checkout.js', '/lib/centavo.js'];
/** Of HTML, style and programs, before images and before compression. */
const MAX_BYTES = 60_000;

/** A service and a browser that the tests of a `describe` share. Construct it inside. Each test has a new shop. */
export class CheckoutSite {
  service!: TestService;
  browser!: Browser;
  shop!: Shop;

  constructor() {
    before(async () => {
      [this.service, this.browser] = await Promise.all([startTestService(), openBrowser()]);
    });
    after(() => Promise.all([this.browser?.close(), this.service?.stop()]));
    beforeEach(async () => {
      this.shop = await Shop.open(this.service, { name: 'Aurora Cursos' });
    });
  }

  /** Opens a path of the service as a buyer, such as `/l/{hash}`. */
  at(path: string, options?: BuyerOptions): Promise<Buyer> {
    return Buyer.at(this.browser, this.service, path, options);
  }

  /** Opens the page of a link as a buyer. */
  atLink(link: CheckoutPage, options?: BuyerOptions): Promise<Buyer> {
    return this.at(`/l/${link.hash}`, options);
  }

  /** Fails unless a page has less than 60 KB with its style and its programs. */
  async assertSmall(path: string): Promise<void> {
    const sizes = await Promise.all([path, ...ASSETS].map((each) => this.#size_bytes(each)));
    const total_bytes = sizes.reduce((total, size_bytes) => total + size_bytes, 0);
    assert.ok(total_bytes < MAX_BYTES, `${total_bytes} bytes`);
  }

  async #size_bytes(path: string): Promise<number> {
    const response = await fetch(this.service.url + path, { headers: { 'accept-encoding': 'identity' } });
    assert.equal(response.status, 200, path);
    return (await response.arrayBuffer()).byteLength;
  }
}
