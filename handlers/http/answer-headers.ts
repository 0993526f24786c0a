import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** The caller's request id if it is well-formed, so that both sides can find the request; otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/** Sent with every answer, for browsers: an answer is not a page and must not be stored. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
};

const SECURITY_LINES: readonly string[] = Object.entries(SECURITY_HEADERS).flat();

/** Returns names and values in turn, for `writeHead`. Setting them one by one costs several times as much. */
export function standardHeaders(request: IncomingMessage, requestId = requestIdOf(request)): string[] {
  return ['X-Request-Id', requestId, ...SECURITY_LINES];
}
