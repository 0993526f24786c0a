import type { Browser } from 'playwright-core';

const PROCESSOR_SLOWDOWN = 6;
/** Lighthouse's slow 4G: 1.6 Mbit/s and 150 ms for each round trip. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (750e3 * 0.9) / 8,
};
const PHONE = { width: 360, height: 740 };
/** The paint that comes first has text here, because the pages have no image before it. */
const FIRST_PAINT_MS = `new Promise((resolve) => {
  const take = (list) => {
    const paint = list.getEntriesByName('first-contentful-paint')[0];
    if (paint !== undefined) resolve(paint.startTime);
  };
  new PerformanceObserver(take).observe({ type: 'paint', buffered: true });
})`;

/** The first paint of one load on a slow phone, in milliseconds after the request. */
export async function firstPaint_ms(browser: Browser, address: string): Promise<number> {
  // A new context has an empty cache.
  const context = await browser.newContext({ viewport: PHONE, locale: 'pt-BR' });
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_4G);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWDOWN });
  await page.goto(address);
  const paint_ms = (await page.evaluate(FIRST_PAINT_MS)) as number;
  await context.close();
  return paint_ms;
}
