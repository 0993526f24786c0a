import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { wordsFor } from './language.ts';
import { html } from './markup.ts';
import { en } from './words/en.ts';
import { pt } from './words/pt.ts';
import type { Words } from './words/words.ts';

export interface UnavailablePage {
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
  'Retry-After': String(RETRY_AFTER_S),
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept-Language',
};

const READ = new Map([pt, en].map((words) => [words, page(words, words.unavailable.read, true)]));
/** For a form that was sent. The page before it has the key of the payment, so it is not loaded again by itself. */
const SENT = new Map([pt, en].map((words) => [words, page(words, words.unavailable.sent, false)]));

/**
 * The page that a browser gets if the service is overloaded or fails, in place of a page for buyers. It is made once,
 * at the start.
 */
export function unavailablePage({ method, url, headers }: IncomingMessage): UnavailablePage | undefined {
  if (!BUYER_PATH.test(url ?? '') || headers.accept?.includes('text/html') !== true) return undefined;
  return (method === 'POST' ? SENT : READ).get(wordsFor(headers['accept-language']));
}

function page({ lang, unavailable }: Words, advice: string, isRepeated: boolean): UnavailablePage {
  const refresh = html`<meta http-equiv="refresh" content="${RETRY_AFTER_S}">`;
  const { text } = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isRepeated && refresh}
<title>${unavailable.title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><h1>${unavailable.title}</h1><p>${advice}</p></body>
</html>
`;
  return { text, headers: { ...HEADERS, 'Content-Length': String(Buffer.byteLength(text)) } };
}
