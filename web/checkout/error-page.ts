import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { wordsFor } from './language.ts';
import { html } from './markup.ts';
import { en } from './words/en.ts';
import { pt } from './words/pt.ts';
import type { Notice, Words } from './words/words.ts';

export interface ErrorPage {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const BUYER_PATH = /^\/[lcspa]\/[^/]/;
const RETRY_AFTER_S = 5;
const STYLE =
  'body{margin:15vh auto;padding:0 1rem;max-width:27rem;font:1.1rem/1.5 system-ui,sans-serif;text-align:center}h1{font-size:1.4rem}';
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'`,
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept-Language',
};

const PAGES = new Map([pt, en].map((words) => [words, pagesIn(words)]));

/**
 * The page that a browser gets in place of a page for buyers: if the service is overloaded or fails, or if the request
 * cannot be read (`status` below 500). It is made once, at the start.
 */
export function errorPage({ method, url, headers }: IncomingMessage, status: number): ErrorPage | undefined {
  if (!BUYER_PATH.test(url ?? '') || headers.accept?.includes('text/html') !== true) return undefined;
  const pages = PAGES.get(wordsFor(headers['accept-language']))!;
  const { read, sent } = status < 500 ? pages.unreadable : pages.unavailable;
  return method === 'POST' ? sent : read;
}

/** In place of the page itself, and of the answer to its form. */
function pagesIn(words: Words) {
  const { title, read, sent } = words.unavailable;
  const { unknown, unreadableForm } = words.deadEnds;
  return {
    unavailable: {
      read: page(words, { title, advice: read }, { isRetried: true, isRepeated: true }),
      // A reload by the buyer sends the form again, with its key. A reload by the page itself would not, and the page
      // before it would have a new key.
      sent: page(words, { title, advice: sent }, { isRetried: true }),
    },
    unreadable: { read: page(words, unknown), sent: page(words, unreadableForm) },
  };
}

function page(
  { lang }: Words,
  { title, advice }: Notice,
  { isRetried = false, isRepeated = false } = {},
): ErrorPage {
  const refresh = html`<meta http-equiv="refresh" content="${RETRY_AFTER_S}">`;
  const { text } = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isRepeated && refresh}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><h1>${title}</h1><p>${advice}</p></body>
</html>
`;
  const headers = {
    ...HEADERS,
    ...(isRetried && { 'Retry-After': String(RETRY_AFTER_S) }),
    'Content-Length': String(Buffer.byteLength(text)),
  };
  return { text, headers };
}
