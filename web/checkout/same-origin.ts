import type { IncomingMessage } from 'node:http';

/**
 * Whether a form was sent by a page of another origin. Browsers say so in `Sec-Fetch-Site`, and older ones in `Origin`.
 * A payment uses no cookie, so such a form could not act for the buyer. It is refused anyway.
 */
export function isForeign({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  return origin !== undefined && URL.parse(origin)?.host !== host;
}
