import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The request id that the caller sent, if it is well-formed, so that both sides can find the request; else a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Sent with every answer, in case that a browser shows it: it is not a page, and must not be stored. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

const SECURITY_LINES: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** Returns names and values in turn, as `writeHead` takes them. To set them one by one costs several times as much. */
export function standardHeaders(request: IncomingMessage, requestId = requestIdOf(request)): string[] {
  return ['X-Request-Id', requestId, ...SECURITY_LINES];
}
