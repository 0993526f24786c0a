import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
/** Root needs the first. The others prevent requests that the page does not make. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];
/** Test files run at the same time, and only one of them may install. */
const INSTALL = `test -x ${PROGRAM} || { apt-get update && apt-get install -y --no-install-recommends chromium; }`;
const LOCK = '/tmp/centavo-chromium.lock';

/**
 * The `skip` option of a browser test: false if Chromium is installed, else the reason. Root on Debian installs it.
 * A run with CI=true counts the skip as a failure.
 */
export function missingBrowser(): string | false {
  if (!existsSync(PROGRAM) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    process.stderr.write('Chromium is missing: installing it with apt-get.\n');
    try {
      execFileSync('flock', [LOCK, 'sh', '-c', INSTALL], { stdio: ['ignore', 'ignore', 'inherit'] });
    } catch {
      // The missing browser is reported below.
    }
  }
  if (existsSync(PROGRAM)) return false;
  const reason = `NO BROWSER: ${PROGRAM} is missing (apt-get install chromium), so pages are NOT tested.`;
  process.stderr.write(`${reason}\n`);
  return reason;
}

/** A page, and what it did that it must not. */
export interface Watched {
  readonly page: Page;
  /** Errors and warnings of the console, exceptions, and requests that failed. */
  readonly complaints: string[];
  /** URLs on other hosts that the page requested. */
  readonly outside: string[];
}

export interface Screen {
  readonly width: number;
  readonly height: number;
}

export const DESKTOP: Screen = { width: 1280, height: 900 };
export const PHONE: Screen = { width: 360, height: 740 };

export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: ARGUMENTS });
}

/** By how many pixels the page is wider than the screen. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** A new page, with its errors and its requests to other hosts. */
export async function watchedPage(
  browser: Browser,
  home: string,
  options: { readonly screen?: Screen; readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<Watched> {
  const { screen = DESKTOP, colorScheme = 'light' } = options;
  const page = await browser.newPage({ viewport: { ...screen }, colorScheme });
  // Several browsers may share two slow cores.
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== home) outside.push(request.url());
  });
  return { page, complaints, outside };
}
