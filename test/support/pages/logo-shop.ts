/** A shop whose payment links have logos, which a server of the test answers. */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { OutgoingCalls } from '../../../services/webhooks/outgoing-calls.ts';
import { fetchDueLogos } from '../run-jobs.ts';
import { startTestService } from '../service.ts';
import { Shop } from '../shop.ts';
import { CheckoutPage } from './checkout-page.ts';
import { LogoServer } from './logo-server.ts';

const TIMEOUT_MS = 500;
export const PENDING = { status: 'pending', problem: null };
export const AVAILABLE = { status: 'available', problem: null };

/** Everything is stopped after the last test of the file. */
export async function startLogoShop() {
  let ahead_ms = 0;
  const server = await LogoServer.start();
  const service = await startTestService({
    jobs: false,
    env: { ALLOW_PRIVATE_DESTINATIONS: 'true' },
    overrides: { outgoing: new OutgoingCalls({ allowPrivate: true, timeout_ms: TIMEOUT_MS }) },
  });
  const shop = await Shop.open(service);
  after(async () => {
    await service.stop();
    await server[Symbol.asyncDispose]();
  });

  const run = () => fetchDueLogos(service.deps);
  /** A run whose process dies during the call. */
  const die = () =>
    fetchDueLogos({
      ...service.deps,
      outgoing: { ...service.deps.outgoing, call: () => Promise.reject(new Error('killed')) },
    });
  const shownLogo = async (page: CheckoutPage): Promise<string | null> => (await page.read()).body.logo_url;
  const change = async (page: CheckoutPage, body: object) =>
    assert.equal((await shop.call('PUT', `/payment-links/${page.id}`, { body })).status, 200);

  /** The page of a new link, after its logo was fetched or refused. */
  async function pageWith(logo_url: string): Promise<CheckoutPage> {
    const page = await CheckoutPage.ofLink(shop, { logo_url });
    assert.equal(await run(), 1);
    return page;
  }

  async function download(url: string | null) {
    const answer = await fetch(url!);
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.bytes()) };
  }

  function later(ms: number): void {
    ahead_ms += ms;
    service.setAhead(ahead_ms);
  }

  const lastLogged = () => service.log.findLast(({ message }) => message === 'logo not fetched')!;

  return { service, shop, server, run, die, shownLogo, change, pageWith, download, later, lastLogged };
}
