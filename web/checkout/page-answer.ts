import type { Response } from 'express';
import { type FramedPage, framed, type Look } from './page-frame.ts';

/** Sends a page for buyers. */
export function sendPage(response: Response, look: Look, page: FramedPage): void {
  response.setHeader('Content-Security-Policy', policy(look.nonce));
  // With `no-referrer`, browsers would send `Origin: null` with the form.
  response.setHeader('Referrer-Policy', 'same-origin');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('X-Robots-Tag', 'noindex');
  response.setHeader('Vary', 'Accept-Language');
  response.type('html').send(framed(look, page));
}

/** Nothing is loaded from another host, and no page can frame these. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
