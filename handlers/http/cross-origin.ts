import type { IncomingMessage, ServerResponse } from 'node:http';
import { standardHeaders } from './answer-headers.ts';
import type { Contract } from './contract.ts';
import { pathAndQuery } from './target.ts';

/** How long a browser may remember the answer to a preflight request. */
const PREFLIGHT_MAX_AGE_S = 7_200;

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/**
 * Lets pages of any origin call the operations with `x-cross-origin` (Fetch standard, CORS). `answered` adds the header
 * to every answer of their paths, refusals included, and answers preflight requests itself; it returns whether it did.
 */
export function crossOrigin({ operations }: Contract, prefix: string) {
  const methods = new Map<string, string>();
  for (const { isCrossOrigin, path, method } of operations.values()) {
    if (isCrossOrigin) methods.set(`${prefix}${path}`, method.toUpperCase());
  }
  return {
    answered(request: IncomingMessage, response: ServerResponse): boolean {
      const method = methods.get(pathAndQuery(request.url!)[0]);
      if (method === undefined) return false;
      response.setHeader(ALLOW_ORIGIN, '*');
      response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After');
      const isPreflight =
        request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
      if (!isPreflight) return false;
      response.setHeader('Access-Control-Allow-Methods', method);
      response.setHeader('Access-Control-Allow-Headers', 'Content-Type, X-Request-Id');
      response.setHeader('Access-Control-Max-Age', String(PREFLIGHT_MAX_AGE_S));
      response.writeHead(204, standardHeaders(request));
      response.end();
      return true;
    },
  };
}

/** Whether `crossOrigin` sets this header. */
export function isCrossOriginHeader(name: string): boolean {
  return name.startsWith('access-control-');
}
