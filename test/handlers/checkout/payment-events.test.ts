/** The stream of events of a payment, for the page of its buyer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, test } from 'node:test';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { type Json, startTestService, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const shared = await sharedService({ jobs: false });
let shop: Shop;
let page: CheckoutPage;
beforeEach(async () => {
  shop = await Shop.open(shared);
  page = await CheckoutPage.ofLink(shop);
});

/** Opens a stream on a connection of its own. The answer has to be read or destroyed. */
async function open(hash: string, service: TestService = shared, method = 'GET'): Promise<IncomingMessage> {
  const sent = request(`${service.url}/api/v1/checkout/payments/${hash}/events`, { method, agent: false });
  const [response] = await once(sent.end(), 'response');
  return response;
}

async function statusOf(opened: Promise<IncomingMessage>): Promise<number> {
  const response = await opened;
  response.destroy();
  return response.statusCode!;
}

/** The data of the events in a text. */
function payments(stream: string) {
  return stream
    .split('\n\n')
    .filter((event) => event.startsWith('event: payment\n'))
    .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 'data: '.length)));
}

/** A payment without the seconds that are left, which may change from one answer to the next. */
function withoutCountdown({ pix, ...payment }: Json): Json {
  const { expires_in_s: _, ...code } = pix;
  return { ...payment, pix: code };
}

async function inFlight(): Promise<number> {
  const metrics = await (await fetch(`${shared.internalUrl}/metrics`)).text();
  return Number(/^centavo_http_requests_in_flight(?:\{[^}]*\})? (\d+)/m.exec(metrics)![1]);
}

describe('the stream of a payment', () => {
  test('has the payment, then each change, and ends once it is paid', async () => {
    const waiting = await page.paid(pixBody());
    const response = await open(waiting.hash);
    assert.equal(response.headers['content-type'], 'text/event-stream; charset=utf-8');
    assert.equal(response.headers['cache-control'], 'no-store');
    const [payment] = (await shop.get('/payments')).data;
    await shop.simulate(payment.id, 'paid');
    const events = payments(await text(response));
    assert.deepEqual(withoutCountdown(events[0]), withoutCountdown(waiting));
    assert.deepEqual(withoutCountdown(events.at(-1)), withoutCountdown(await page.payment(waiting.hash)));
    assert.equal(events.at(-1).status, 'paid');
  });

  test('of a payment that is paid ends at once', async () => {
    const paid = await page.paid(await page.cardBody());
    assert.deepEqual(payments(await text(await open(paid.hash))), [paid]);
  });

  test('is refused when 4 are open, and allowed again when one of them is closed', async () => {
    const { hash } = await page.paid(pixBody());
    const streams = await Promise.all([1, 2, 3, 4].map(() => open(hash)));
    const refused = await open(hash);
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.headers['retry-after'], '5');
    assert.equal(JSON.parse(await text(refused)).error.code, 'rate_limited');
    const other = await page.paid(pixBody());
    assert.equal(await statusOf(open(other.hash)), 200);
    streams[0]!.destroy();
    await until('its place is free', async () => (await statusOf(open(hash))) === 200);
    for (const stream of streams) stream.destroy();
  });

  test('leaves streams to the buyers of other merchants when one merchant has many open', async () => {
    await using own = await startTestService({ beside: shared, jobs: false });
    const { hash } = await page.paid(pixBody());
    const [{ id }] = (await shop.get('/payments')).data;
    // The other pages of the merchant, each with its stream.
    const streams = Array.from({ length: 63 }, (_, at) =>
      own.deps.paymentStreams.open(shop.account, `${id}-${at}`),
    );
    const last = await open(hash, own);
    assert.equal(last.statusCode, 200);
    assert.equal(await statusOf(open(hash, own)), 429);
    const other = await CheckoutPage.ofLink(await Shop.open(shared));
    assert.equal(await statusOf(open((await other.paid(pixBody())).hash, own)), 200);
    streams.pop()![Symbol.dispose]();
    assert.equal(await statusOf(open(hash, own)), 200);
    last.destroy();
  });

  test('holds no ticket of admission control while it is open', async () => {
    const { hash } = await page.paid(pixBody());
    const stream = await open(hash);
    await until('the request is finished', async () => (await inFlight()) === 0);
    stream.destroy();
  });

  test('is not opened for HEAD, for an unknown payment, or for the payment of an order without a page', async () => {
    const { hash } = await page.paid(pixBody());
    for (let i = 0; i < 6; i += 1) assert.equal(await statusOf(open(hash, shared, 'HEAD')), 200);
    assert.equal(await statusOf(open('aaaaaaaaaaaaaaaaaaaaaaaaaa')), 404);
    assert.equal(await statusOf(open((await shop.pixPayment()).hash)), 404);
  });
});

test('a service that stops ends its streams', async () => {
  const own = await startTestService({ jobs: false });
  const link = await CheckoutPage.ofLink(await Shop.open(own));
  const { hash } = await link.paid(pixBody());
  const stream = text(await open(hash, own));
  const startedAt_ms = performance.now();
  await own.stop();
  assert.equal(payments(await stream).length, 1);
  assert.ok(performance.now() - startedAt_ms < 10_000);
});
