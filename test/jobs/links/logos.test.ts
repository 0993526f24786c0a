/** Logos of payment links: fetched once, checked, and served from our host (contract row 13.17). */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DAY_MS } from '../../../domain/durations.ts';
import { MAX_LOGO_BYTES } from '../../../domain/links/logo.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { gifOf, jpegOf, pngOf, webpOf } from '../../support/pages/image-headers.ts';
import { PNG } from '../../support/pages/logo-server.ts';
import { AVAILABLE, PENDING, startLogoShop } from '../../support/pages/logo-shop.ts';
import { Shop } from '../../support/shop.ts';

const { service, shop, server, run, shownLogo, change, pageWith, download, later, lastLogged } =
  await startLogoShop();
const withSize = (bytes: number) => Buffer.concat([PNG], bytes);

describe('the logo of a payment link', () => {
  const formats: [string, Buffer][] = [
    ['image/png', PNG],
    ['image/jpeg', jpegOf(200, 100)],
    ['image/gif', gifOf(200, 100)],
    ['image/webp', webpOf('VP8 ', 2_048, 2_048)],
  ];
  for (const [type, bytes] of formats) {
    test(`in the format ${type} is fetched once, and served from our host`, async () => {
      const url = server.serve((response) => response.setHeader('content-type', 'text/html').end(bytes));
      const page = await CheckoutPage.ofLink(shop, { logo_url: url });
      assert.equal(await shownLogo(page), null);
      assert.deepEqual((await page.link()).logo, PENDING);
      await run();
      const shown = await shownLogo(page);
      assert.match(shown!, new RegExp(`^${service.url}/logos/${page.hash}\\?v=[0-9a-f]{8}$`));
      const logo = await download(shown);
      assert.deepEqual([logo.status, logo.bytes], [200, bytes]);
      assert.equal(logo.headers.get('content-type'), type);
      assert.equal(await run(), 0);
      assert.equal(server.count(url), 1);
      const { logo_url, logo: state } = await page.link();
      assert.deepEqual([logo_url, state], [url, AVAILABLE]);
    });
  }

  test('is shown on the page of the link, from the host of the page', async () => {
    const page = await pageWith(server.serve(PNG));
    const { pathname, search } = new URL((await shownLogo(page))!);
    const html = await (await fetch(`${service.url}/l/${page.hash}`)).text();
    assert.ok(html.includes(`<img class="avatar" src="${pathname}${search}" alt=""`), html);
  });

  test('can be kept by browsers, which treat it as nothing but an image', async () => {
    const page = await pageWith(server.serve(PNG));
    const { headers } = await download(await shownLogo(page));
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");
  });

  test('is requested as an image, without cookies or keys', async () => {
    await pageWith(server.serve(PNG));
    const { host: _, connection: __, ...headers } = server.requests.at(-1)!.headers;
    assert.deepEqual(headers, {
      accept: 'image/png, image/jpeg, image/webp, image/gif',
      'user-agent': 'Centavo-Logos/1',
    });
  });

  test('can have 512 KiB', async () => {
    const page = await pageWith(server.serve(withSize(MAX_LOGO_BYTES)));
    assert.equal((await download(await shownLogo(page))).bytes.length, MAX_LOGO_BYTES);
  });

  test('stays when the link is disabled, as its page does', async () => {
    const page = await pageWith(server.serve(PNG));
    await shop.post(`/payment-links/${page.id}/disable`);
    assert.equal((await download(await shownLogo(page))).status, 200);
  });
});

describe('a link has no logo if the address answers', () => {
  const good = () => server.serve(PNG);
  let target: string | null = null;
  const status = (code: number) => ['unexpected_status', `The answer had the status ${code}.`] as const;
  const tooLarge = ['too_large', 'The logo has more than 512 KiB.'] as const;
  const tooWide = ['too_large', 'The logo has more than 2048 pixels on a side.'] as const;
  const noImage = ['unknown_format', 'The answer is not a PNG, JPEG, WebP or GIF.'] as const;
  const cases: [string, readonly [string, string], () => string][] = [
    ['with more than 512 KiB', tooLarge, () => server.serve(withSize(MAX_LOGO_BYTES + 1))],
    ['with an image wider than 2,048 pixels', tooWide, () => server.serve(pngOf(2_049, 1))],
    ['with an image higher than 2,048 pixels', tooWide, () => server.serve(webpOf('VP8X', 1, 2_049))],
    ['with an image whose size cannot be read', noImage, () => server.serve(pngOf(1, 1).subarray(0, 20))],
    ['with HTML that claims to be a PNG', noImage, () => server.serve('<script>')],
    [
      'with an SVG',
      noImage,
      () => server.serve((response) => response.setHeader('content-type', 'image/svg+xml').end('<svg/>')),
    ],
    ['with nothing', noImage, () => server.serve('')],
    [
      'with a compressed image',
      noImage,
      () => server.serve((response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(PNG))),
    ],
    ['with 404', status(404), () => server.serve((response) => response.writeHead(404).end(PNG))],
    ['with 500', status(500), () => server.serve((response) => response.writeHead(500).end(PNG))],
    [
      'with a redirect',
      status(302),
      () => {
        const location = good();
        target = location;
        return server.serve((response) => response.writeHead(302, { location }).end(PNG));
      },
    ],
  ];
  for (const [answer, [code, message], url] of cases) {
    test(`${answer}, and shows why`, async () => {
      const page = await pageWith(url());
      assert.equal(await shownLogo(page), null);
      assert.deepEqual((await page.link()).logo, { status: 'failed', problem: { code, message } });
      const host = new URL(server.serve('')).host;
      assert.deepEqual(lastLogged().fields, { merchant_id: shop.account, host, problem: code });
      later(DAY_MS);
      assert.equal(await run(), 0);
    });
  }

  test('the target of a redirect is not requested', () => assert.equal(server.count(target!), 0));
});

describe('a link whose logo_url is changed', () => {
  test('has the new logo, at a new address', async () => {
    const page = await pageWith(server.serve(PNG));
    const old = await shownLogo(page);
    await change(page, { logo_url: server.serve(withSize(100)) });
    assert.equal(await shownLogo(page), null);
    assert.equal((await download(old)).status, 404);
    assert.equal(await run(), 1);
    const shown = await shownLogo(page);
    assert.notEqual(shown, old);
    assert.equal((await download(shown)).bytes.length, 100);
    assert.equal((await download(old)).status, 404);
  });

  test('while the old logo is fetched has the new one', async () => {
    const next = server.serve(PNG);
    let page: CheckoutPage;
    const slow = server.serve(async (response) => {
      await change(page, { logo_url: next });
      response.end(withSize(200));
    });
    page = await CheckoutPage.ofLink(shop, { logo_url: slow });
    assert.equal(await run(), 2);
    assert.deepEqual((await download(await shownLogo(page))).bytes, PNG);
  });

  test('to null has no logo', async () => {
    const page = await pageWith(server.serve(PNG));
    const old = await shownLogo(page);
    await change(page, { logo_url: null });
    assert.equal(await shownLogo(page), null);
    assert.equal((await download(old)).status, 404);
  });

  test('to the same address keeps its logo, which is not fetched again', async () => {
    const url = server.serve(PNG);
    const page = await pageWith(url);
    const shown = await shownLogo(page);
    await change(page, { logo_url: url, title: 'Oficina' });
    assert.equal(await run(), 0);
    assert.equal(await shownLogo(page), shown);
  });
});

describe('links with the same logo_url', () => {
  const copies = async (url: string) =>
    (await service.rows('select 1 from payment_link_logos where url = :url', { url })).length;

  test('share one copy, which is fetched once, also if they are created at once', async () => {
    const url = server.serve(PNG);
    const pages = await Promise.all([1, 2, 3].map(() => CheckoutPage.ofLink(shop, { logo_url: url })));
    assert.equal(await run(), 1);
    const later = await CheckoutPage.ofLink(shop, { logo_url: url });
    assert.equal(await run(), 0);
    for (const page of [...pages, later]) {
      assert.deepEqual((await page.link()).logo, AVAILABLE);
      assert.deepEqual((await download(await shownLogo(page))).bytes, PNG);
    }
    assert.deepEqual([server.count(url), await copies(url)], [1, 1]);
    const { data } = await shop.get('/payment-links?per_page=4');
    for (const { logo } of data) assert.deepEqual(logo, AVAILABLE);
  });

  test('keep the copy until the last of them has another', async () => {
    const url = server.serve(PNG);
    const [first, second] = [await pageWith(url), await CheckoutPage.ofLink(shop, { logo_url: url })];
    await change(first, { logo_url: null });
    assert.deepEqual((await download(await shownLogo(second))).bytes, PNG);
    await change(second, { logo_url: server.serve(PNG) });
    assert.equal(await copies(url), 0);
    await run();
  });

  test('of another merchant have a copy of their own', async () => {
    const url = server.serve(PNG);
    await pageWith(url);
    await CheckoutPage.ofLink(await Shop.open(service), { logo_url: url });
    assert.equal(await run(), 1);
    assert.deepEqual([server.count(url), await copies(url)], [2, 2]);
  });

  test('leave a copy of each address that one of them has, and no other, if they are changed at once', async () => {
    const own = await Shop.open(service);
    const urls = [1, 2, 3].map(() => server.serve(PNG));
    const pages = await Promise.all([1, 2, 3, 4].map(() => CheckoutPage.ofLink(own)));
    const change = (page: CheckoutPage, logo_url: string | null) =>
      own.call('PUT', `/payment-links/${page.id}`, { body: { logo_url } });
    const addresses = (sql: string) => service.rows<{ url: string }>(sql, { account: own.account });
    for (let round = 0; round < 12; round += 1) {
      const changes = pages.flatMap((page, i) => [
        change(page, urls[(round + i) % 3]!),
        change(page, [null, ...urls][(2 * round + i) % 4]!),
      ]);
      for (const { status, text } of await Promise.all(changes)) assert.equal(status, 200, text);
      const used = await addresses(
        'select distinct logo_url as url from payment_links where merchant_id = :account and logo_url is not null order by url',
      );
      const stored = await addresses(
        'select url from payment_link_logos where merchant_id = :account order by url',
      );
      assert.deepEqual(stored, used);
    }
    await run();
  });

  test('keep it when one of them leaves while another one comes', async () => {
    for (let i = 0; i < 5; i += 1) {
      const url = server.serve(PNG);
      const leaving = await pageWith(url);
      const [, coming] = await Promise.all([
        change(leaving, { logo_url: null }),
        CheckoutPage.ofLink(shop, { logo_url: url }),
      ]);
      await run();
      assert.deepEqual((await download(await shownLogo(coming))).bytes, PNG);
    }
  });
});

describe('the address of a logo', () => {
  test('answers 404 if there is no such logo', async () => {
    const page = await pageWith(server.serve(PNG));
    const shown = (await shownLogo(page))!;
    const [path, version] = shown.split('?v=');
    const { hash: ofOther } = await CheckoutPage.ofLink(shop);
    const { hash: ofOffer } = await CheckoutPage.ofOffer(shop);
    const paths = [
      path!,
      `${path}?v=`,
      `${path}?v=00000000`,
      `${path}?v=${version}&v=${version}`,
      `${path}?v=%00`,
      ...[ofOther, ofOffer, 'x', page.hash.toUpperCase()].map(
        (hash) => `${service.url}/logos/${hash}?v=${version}`,
      ),
    ];
    for (const unknown of paths) {
      const { status, headers } = await download(unknown);
      assert.deepEqual([status, headers.get('cache-control')], [404, 'no-store'], unknown);
    }
  });

  test('answers 404 after the sandbox was reset', async () => {
    const other = await Shop.open(service);
    const page = await CheckoutPage.ofLink(other, { logo_url: server.serve(PNG) });
    await run();
    const shown = await shownLogo(page);
    assert.equal((await other.post('/sandbox/reset')).status, 200);
    assert.equal((await download(shown)).status, 404);
  });

  test('is not shown for an offer, which has no logo', async () => {
    assert.equal(await shownLogo(await CheckoutPage.ofOffer(shop)), null);
  });
});
