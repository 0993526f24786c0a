/** Anyone can send to a checkout page, so clients that send slowly must not take the capacity of others. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { RawClients } from '../../support/http/raw-clients.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
});

const payments = ({ hash }: CheckoutPage) => `/checkout/${hash}/payments`;

/** A request whose body is not sent completely. */
function unfinished(path: string, address: string): string {
  return (
    `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\n` +
    'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  );
}

test('payments whose bodies arrive slowly, at several pages, refuse no other buyer or merchant', async () => {
  const pages = [await CheckoutPage.ofLink(shop), await CheckoutPage.ofLink(shop)];
  const other = await CheckoutPage.ofOffer(await Shop.open(service));
  using slow = new RawClients(service.url);
  const sent = 200;
  for (let i = 0; i < sent; i += 1)
    await slow.send(unfinished(payments(pages[i % 2]!), `203.0.113.${i % 20}`));
  await until('the service has them', () => slow.received === sent);
  const asked = await Promise.all([
    other.read(),
    other.pay(pixBody()),
    pages[0]!.pay(pixBody()),
    shop.call('GET', '/payments'),
    shop.order(shop.pixOrderBody()),
  ]);
  assert.deepEqual(
    asked.map(({ status }) => status),
    [200, 201, 201, 200, 201],
  );
});

test('wallet sessions whose bodies arrive slowly refuse no buyer', async () => {
  const page = await CheckoutPage.ofLink(shop);
  using slow = new RawClients(service.url);
  const sent = 200;
  for (let i = 0; i < sent; i += 1)
    await slow.send(unfinished('/mobile-wallet/validate-session', `203.0.113.${100 + (i % 20)}`));
  await until('the service has them', () => slow.received === sent);
  assert.equal((await page.pay(pixBody())).status, 201);
});

test('forms of pages that arrive slowly refuse no buyer or merchant', async () => {
  const page = await CheckoutPage.ofLink(shop);
  using slow = new RawClients(service.url);
  const sent = 200;
  for (let i = 0; i < sent; i += 1) {
    await slow.send(
      `POST /l/${page.hash} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.${i % 20}\r\n` +
        'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na',
    );
  }
  await until('the service has them', () => slow.received === sent);
  const shown = await fetch(`${service.url}/l/${page.hash}`);
  const asked = await Promise.all([page.pay(pixBody()), shop.order(shop.pixOrderBody())]);
  assert.deepEqual([shown.status, ...asked.map(({ status }) => status)], [200, 201, 201]);
});

test('a payment whose body arrives in two parts is made', async () => {
  const page = await CheckoutPage.ofLink(shop);
  using slow = new RawClients(service.url);
  const body = JSON.stringify(pixBody());
  const socket = await slow.send(
    `POST /api/v1/checkout/${page.hash}/payments HTTP/1.1\r\nHost: a\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 20)}`,
  );
  await until('the service has it', () => slow.received === 1);
  socket.write(body.slice(20));
  await until('it is made', async () => (await shop.get('/payments')).data.length === 1);
});
