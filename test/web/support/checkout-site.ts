import { after, before, beforeEach } from 'node:test';
import type { Browser } from 'playwright-core';
import type { CheckoutPage } from '../../support/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { Buyer, type BuyerOptions } from './buyer.ts';
import { openBrowser } from './chromium.ts';

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
}
