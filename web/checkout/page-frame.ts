import type { components } from '../../generated/types.ts';
import { brandColors } from './brand-colors.ts';
import { type Html, html } from './markup.ts';
import type { Words } from './words/words.ts';

export type Checkout = components['schemas']['Checkout'];

/** How a page is shown. */
export interface Look {
  readonly words: Words;
  /** Of the only style element that the policy allows. */
  readonly nonce: string;
  readonly isSandbox: boolean;
}

export interface FramedPage {
  readonly title: string;
  /** Left of the main part, or above it on a phone. */
  readonly summary?: Html;
  readonly main: Html;
  readonly brandColor?: string | null;
  readonly scripts?: readonly string[];
  /** Whether the buyer pays here: the page then says that this is secure, and who processes it. */
  readonly isPayable?: boolean;
  /** Reload the page so often if there are no scripts. */
  readonly refresh_s?: number;
}

/** A complete page for buyers. */
export function framed(look: Look, page: FramedPage): string {
  const { words, isSandbox } = look;
  const { title, summary, main, isPayable, scripts = [], refresh_s } = page;
  return html`<!doctype html>
<html lang="${words.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/checkout/assets/checkout.css">
${brandStyle(look.nonce, page.brandColor ?? null)}
${refresh_s !== undefined && html`<noscript><meta http-equiv="refresh" content="${refresh_s}"></noscript>`}
${scripts.map((src) => html`<script src="${src}" defer></script>`)}
</head>
<body>
${isSandbox && html`<p class="test"><strong>${words.page.test}:</strong> ${words.page.testNote}</p>`}
<div class="${summary === undefined ? 'sheet' : 'sheet two'}">
${summary !== undefined && html`<header class="summary">${summary}</header>`}
<main>${main}
${isPayable && html`<p class="secure">${LOCK} ${words.page.secure}</p>`}
</main>
</div>
</body>
</html>
`.text;
}

function brandStyle(nonce: string, brandColor: string | null): Html {
  const { brand, onBrand, accentLight, accentDark } = brandColors(brandColor);
  return html`<style nonce="${nonce}">:root{--brand:${brand};--on-brand:${onBrand};--accent:${accentLight}}@media(prefers-color-scheme:dark){:root{--accent:${accentDark}}}</style>`;
}

/** Who is paid: the first letter in a circle, and the name. */
export function merchantHtml({ merchant_name, logo_url }: Checkout, words: Words): Html {
  const initial = [...merchant_name.trim()][0] ?? '';
  const avatar =
    logo_url === null
      ? html`<span class="avatar" aria-hidden="true">${initial.toUpperCase()}</span>`
      : html`<img class="avatar" src="${ownPath(logo_url)}" alt="" width="32" height="32">`;
  return html`<p class="merchant">${avatar}<span><span class="sr-only">${words.page.payTo}</span> ${merchant_name}</span></p>`;
}

/** The page's policy allows images from its own host only, which has the logo under any name of the service. */
function ownPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/**
 * An icon, a title, a sentence, and what follows it. The heading of the page is the title or, above it, the summary.
 */
export function noticeHtml(icon: Html, title: string, advice: string, more?: Html, isHeading = false): Html {
  const heading = isHeading ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`;
  return html`<div class="notice">${icon}${heading}<p>${advice}</p>${more}</div>`;
}

const LOCK = html`<svg class="lock" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path fill="currentColor" d="M8 1a4 4 0 0 0-4 4v2H3v8h10V7h-1V5a4 4 0 0 0-4-4Zm-2 6V5a2 2 0 0 1 4 0v2Z"/></svg>`;

const icon = (kind: string, path: string) =>
  html`<svg class="big ${kind}" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="24"/><path d="${path}"/></svg>`;
export const ICONS = {
  done: icon('good', 'M14 25l7 7 13-15'),
  wrong: icon('bad', 'M16 16l16 16M32 16L16 32'),
  clock: icon('calm', 'M24 12v13l8 5'),
  stop: icon('calm', 'M24 13v14M24 33v1'),
} as const;
