/**
 * Measures when a buyer sees a checkout page on a slow phone: the first paint in Chromium, with an empty cache, a processor
 * six times slower, and the network of a slow 4G phone. Prints the median of several loads.
 *
 * Usage: node scripts/bench-first-paint.ts [--loads 15]    on an idle machine
 */
import { parseArgs } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { createLink } from './bench/links.ts';
import { createMerchants } from './bench/merchants.ts';
import { median } from './bench/pace.ts';
import { createEnvironment } from './bench/processes.ts';

const CHROMIUM = '/usr/bin/chromium';
const PROCESSOR_SLOWDOWN = 6;
/** Lighthouse's slow 4G: 1.6 Mbit/s and 150 ms for each round trip. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (750e3 * 0.9) / 8,
};
const PHONE = { width: 360, height: 740 };
/** The paint that comes first has text here, because the page has no image. */
const FIRST_PAINT_MS = `new Promise((resolve) => {
  const take = (list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint !== undefined) resolve(paint.startTime);
  };
  new PerformanceObserver(take).observe({ type: 'paint', buffered: true });
})`;

const { values } = parseArgs({ options: { loads: { type: 'string', default: '15' } } });

async function firstPaint_ms(browser: Browser, address: string): Promise<number> {
  // A new context has an empty cache.
  const page = await (await browser.newContext({ viewport: PHONE, locale: 'pt-BR' })).newPage();
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  await page.goto(address);
  const paint_ms = (await page.evaluate(FIRST_PAINT_MS)) as number;
  await page.context().close();
  return paint_ms;
}

const environment = await createEnvironment('bench-first-paint');
try {
  const service = await environment.start('main.ts', { env: { PORT: '0', INTERNAL_PORT: '0' } });
  const [merchant] = await createMerchants(environment, ['Escola']);
  const address = `${service.url}/l/${await createLink(service, merchant!)}`;
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const paints_ms: number[] = [];
  for (let load = 0; load < Number(values.loads); load += 1) {
    paints_ms.push(await firstPaint_ms(browser, address));
  }
  await browser.close();
  const [least, most] = [Math.min(...paints_ms), Math.max(...paints_ms)].map(Math.round);
  console.log(
    `First paint of a checkout page: median ${Math.round(median(paints_ms))} ms of ${paints_ms.length} loads (${least} to ${most} ms)`,
  );
} finally {
  await environment.stop();
}
process.exit(0);
