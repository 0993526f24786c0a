/** Logos of payment links whose server does not answer, or answers with an error. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { DAY_MS } from '../../../domain/durations.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { PNG } from '../../support/pages/logo-server.ts';
import { AVAILABLE, PENDING, startLogoShop } from '../../support/pages/logo-shop.ts';

const { shop, server, run, die, shownLogo, change, pageWith, download, later, lastLogged } =
  await startLogoShop();

describe('a server that does not answer', () => {
  test('is tried three times', async () => {
    const url = server.serve(() => {});
    const page = await pageWith(url);
    for (const [wait_ms, claimed] of [
      [29_000, 0],
      [2_000, 1],
      [299_000, 0],
      [2_000, 1],
      [DAY_MS, 0],
    ] as const) {
      later(wait_ms);
      assert.equal(await run(), claimed);
    }
    assert.equal(server.count(url), 3);
    assert.equal(await shownLogo(page), null);
    assert.equal(lastLogged().fields.problem, 'timed_out');
    const problem = { code: 'timed_out', message: 'The answer was not complete in time.' };
    assert.deepEqual((await page.link()).logo, { status: 'failed', problem });
  });

  test('can answer a later attempt', async () => {
    const answers = [() => {}, (response: ServerResponse) => response.end(PNG)];
    const url = server.serve((response) => answers.shift()!(response));
    const page = await pageWith(url);
    assert.equal(await shownLogo(page), null);
    assert.deepEqual((await page.link()).logo, PENDING);
    later(31_000);
    assert.equal(await run(), 1);
    assert.deepEqual((await download(await shownLogo(page))).bytes, PNG);
  });

  test('is tried again after the process of an attempt has died', async () => {
    const page = await CheckoutPage.ofLink(shop, { logo_url: server.serve(PNG) });
    await die();
    assert.equal(await run(), 0);
    later(61_000);
    assert.equal(await run(), 1);
    assert.equal((await download(await shownLogo(page))).status, 200);
  });

  test('is not tried again after the processes of three attempts have died', async () => {
    const url = server.serve(PNG);
    await CheckoutPage.ofLink(shop, { logo_url: url });
    for (let i = 0; i < 3; i += 1) {
      await die();
      later(61_000);
    }
    assert.equal(await run(), 1);
    later(DAY_MS);
    assert.equal(await run(), 0);
    assert.equal(server.count(url), 0);
    assert.equal(lastLogged().fields.problem, 'interrupted');
  });
});

describe('a logo that could not be fetched', () => {
  test('is fetched again when its address is sent again, for all links that have it', async () => {
    const answers = [(response: ServerResponse) => response.writeHead(404).end()];
    const url = server.serve((response) => (answers.shift() ?? (() => response.end(PNG)))(response));
    const page = await pageWith(url);
    const other = await CheckoutPage.ofLink(shop, { logo_url: server.serve(PNG) });
    await run();
    await change(page, { title: 'Oficina' });
    assert.equal((await page.link()).logo.status, 'failed');
    await change(other, { logo_url: url });
    assert.deepEqual((await page.link()).logo, PENDING);
    assert.equal(await run(), 1);
    for (const link of [page, other]) assert.deepEqual((await link.link()).logo, AVAILABLE);
  });
});
