import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The caller's own id where it is a sane one, so that both sides can find a request; else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** What every answer says to a browser that should ever show it: nothing here is a page, and nothing is to be kept. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

const SECURITY_LINES: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** Names and values in turn, as `writeHead` takes them: one by one they cost several times as much. */
export function standardHeaders(request: IncomingMessage, requestId = requestIdOf(request)): string[] {
  return ['X-Request-Id', requestId, ...SECURITY_LINES];
}
