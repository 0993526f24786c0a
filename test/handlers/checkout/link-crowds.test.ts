/** Buyers at one page must not take the capacity of the merchant's other pages, nor one address that of others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { untilGauges } from '../../support/http/gauges.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

/** Three quarters of these are for one merchant's pages, three quarters of those for one page, and so on. */
const TICKETS = 32;
const OF_A_PAGE = 18;
const OF_AN_ADDRESS = 14;

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({
    jobs: false,
    env: { TRUSTED_PROXIES: '127.0.0.1', MAX_IN_FLIGHT: String(TICKETS) },
  });
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** Buyers pay at the page, one from each address, while the acquirer does not answer. Returns how many are refused. */
async function whileBuyersWait(page: CheckoutPage, addresses: string[], work: () => Promise<void>) {
  const { promise: isOpen, resolve: open } = Promise.withResolvers<void>();
  let asking = 0;
  const intercepted = service.intercept((real) => ({
    pix_charge: async (command) => {
      asking += 1;
      await isOpen;
      return real.perform(command);
    },
  }));
  let refused = 0;
  const buyers = addresses.map(async (address) => {
    const answer = await page.pay(pixBody(), { headers: { 'x-forwarded-for': address } });
    if (answer.status === 503) refused += 1;
    else assert.equal(answer.status, 201, answer.text);
  });
  try {
    await untilGauges(
      service,
      'all wait or are refused, and none works',
      ({ in_flight, queued }) => in_flight + refused === addresses.length && asking + queued === in_flight,
    );
    await work();
  } finally {
    open();
    await Promise.all(buyers);
    intercepted.undo();
  }
  return refused;
}

test('a crowd at one link leaves capacity for another link of its merchant', async () => {
  const [crowded, other] = [await CheckoutPage.ofLink(shop), await CheckoutPage.ofLink(shop)];
  const addresses = Array.from({ length: TICKETS }, (_, i) => `203.0.113.${i}`);
  const refused = await whileBuyersWait(crowded, addresses, async () => {
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    assert.equal((await crowded.call('GET', `/${crowded.hash}`, { headers })).status, 503);
    assert.equal((await other.call('GET', `/${other.hash}`, { headers })).status, 200);
  });
  assert.equal(refused, TICKETS - OF_A_PAGE);
});

test('many requests of one address leave capacity for another address at the same link', async () => {
  const page = await CheckoutPage.ofLink(shop);
  const addresses = Array.from({ length: TICKETS }, () => '203.0.113.1');
  const refused = await whileBuyersWait(page, addresses, async () => {
    for (const [address, status] of [
      ['203.0.113.1', 503],
      ['203.0.113.2', 200],
    ]) {
      const headers = { 'x-forwarded-for': `${address}` };
      assert.equal((await page.call('GET', `/${page.hash}`, { headers })).status, status);
    }
  });
  assert.equal(refused, TICKETS - OF_AN_ADDRESS);
});
