import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { missingProgram } from '../../support/processes/apt-program.ts';

/**
 * The browsers, the preferred one first. For each context of a test, the whole Chromium opens a window, which takes 1.4
 * s of processor time; the shell without windows takes 0.1 s.
 */
const PROGRAMS = ['chromium-headless-shell', 'chromium'].map((aptPackage) => ({
  command: `/usr/bin/${aptPackage}`,
  asks: ['--version'],
  aptPackage,
}));
/** Root needs the first. The others prevent requests that the page does not make. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/** The `skip` option of a browser test (`missingProgram`). */
export function missingBrowser(): string | false {
  return missingProgram(PROGRAMS, 'NO BROWSER, so pages are NOT tested');
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
  const installed = PROGRAMS.map(({ command }) => command).find((command) => existsSync(command));
  return chromium.launch({ executablePath: installed ?? PROGRAMS[0]!.command, args: ARGUMENTS });
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
  page.setDefaultTimeout(120_000);
  return watch(page, home);
}

/** Collects what a page does that it must not. `home`: the origin of the service. */
export function watch(page: Page, home: string): Watched {
  const complaints: string[] = [];
  const outside: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('requestfailed', (request) => {
    complaints.push(`failed (${request.failure()?.errorText}): ${request.url()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== home) outside.push(request.url());
  });
  return { page, complaints, outside };
}
