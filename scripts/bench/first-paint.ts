import { chromium } from 'playwright-core';
import { createLink } from './links.ts';
import { type BenchMerchant, createMerchants } from './merchants.ts';
import { median } from './pace.ts';
import type { BenchEnvironment, MeasuredProcess } from './processes.ts';
import { firstPaint_ms } from './slow-phone.ts';
import { table, whole } from './tables.ts';
import { callApi } from './webhooks/setup.ts';

const CHROMIUM = '/usr/bin/chromium';

/** The first paints of a page, each with an empty cache. */
export interface FirstPaints {
  readonly title: string;
  readonly paints_ms: readonly number[];
}

/** Measures each kind of page for buyers `loads` times, in turns. */
export async function measureFirstPaints(
  environment: BenchEnvironment,
  loads: number,
): Promise<FirstPaints[]> {
  const service = await environment.start('main.ts', { env: { PORT: '0', INTERNAL_PORT: '0' } });
  const [merchant] = await createMerchants(environment, ['Escola']);
  const pages = (await createPages(service, merchant!)).map((page) => ({
    ...page,
    paints_ms: [] as number[],
  }));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    for (let load = 0; load < loads; load += 1) {
      for (const { path, paints_ms } of pages) {
        paints_ms.push(await firstPaint_ms(browser, `${service.url}${path}`));
      }
    }
  } finally {
    await browser.close();
  }
  return pages;
}

/** One page of each kind, with its path. */
async function createPages(service: MeasuredProcess, merchant: BenchMerchant) {
  const call = async (path: string, body: object) =>
    (await callApi(service, merchant, path, body)) as { id: string; hash: string };
  const link = await createLink(service, merchant);
  const { id } = await call('/products', { name: 'Clube do Livro' });
  const amount = 4_990;
  const once = await call(`/products/${id}/offers`, { type: 'one_time', name: 'Anual', amount });
  const cycles = [{ start: 1, end: null, amount }];
  const monthly = { type: 'recurring', name: 'Mensal', interval: 'monthly', cycles };
  const recurring = await call(`/products/${id}/offers`, monthly);
  const customer = { name: 'Bia Lima', email: 'bia@example.com' };
  const pix = await call(`/checkout/${once.hash}/payments`, { payment_method: 'pix', customer });
  return [
    { title: '`/l/{hash}`: a payment link by card, Pix and boleto', path: `/l/${link}` },
    { title: '`/c/{hash}`: an offer', path: `/c/${once.hash}` },
    { title: '`/s/{hash}`: a subscription', path: `/s/${recurring.hash}` },
    { title: '`/p/{hash}`: a Pix that waits for its payment', path: `/p/${pix.hash}` },
  ];
}

/** The results as a table of Markdown. */
export function firstPaintTable(pages: readonly FirstPaints[]): string {
  const ms = (value: number) => `${whole(value)} ms`;
  return table(
    ['Page', 'Median', 'Fastest', 'Slowest'],
    pages.map(({ title, paints_ms }) => [
      title,
      `**${ms(median(paints_ms))}**`,
      ms(Math.min(...paints_ms)),
      ms(Math.max(...paints_ms)),
    ]),
  );
}
