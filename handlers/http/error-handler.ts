import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Log } from '../../services/deps.ts';
import type { ErrorPageOf } from './error-page.ts';
import { asRefusal } from './errors.ts';

/** Public errors for the errors of Express and its body parsers, by status. */
const CLIENT_ERRORS: Readonly<Record<number, { code: string; message: string }>> = {
  400: { code: 'bad_request', message: 'The request could not be read.' },
  413: { code: 'payload_too_large', message: 'The body is too large.' },
  415: { code: 'unsupported_media_type', message: 'Send the body without a content encoding.' },
};
const INTERNAL_ERROR = {
  code: 'internal_error',
  message: 'Something went wrong on our side. The request id helps us to find it.',
};

/**
 * Answers errors outside of operations. Must be the last handler; without it, Express answers with the stack. `pageOf`:
 * the pages in place of JSON.
 */
export function errorHandler(log: Log, pageOf: ErrorPageOf = () => undefined): ErrorRequestHandler {
  // Express recognizes error handlers by their four parameters.
  return (error: { status?: unknown }, request, response, _next) => {
    const { status, known, retryAfter_s } = publicError(error);
    if (known === undefined || status === 503) {
      const fields = {
        request_id: response.getHeader('X-Request-Id'),
        method: request.method,
        status,
        err: error,
      };
      if (known === undefined) log.error(fields, 'request failed');
      else log.warn(fields, 'request refused');
    }
    if (response.headersSent) {
      response.destroy();
      // The ticket of a page is held until then.
      response.end();
      return;
    }
    // The rest of the body would be read as the next request on this connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    if (retryAfter_s !== undefined) response.setHeader('Retry-After', retryAfter_s);
    const page = pageOf(request, status);
    if (page === undefined) response.status(status).json({ error: known ?? INTERNAL_ERROR });
    else response.status(status).set(page.headers).end(page.text);
  };
}

/** The status, code and message that an error is answered with. `known` is undefined for an internal error. */
function publicError(error: { status?: unknown }): {
  readonly status: number;
  readonly known?: { readonly code: string; readonly message: string };
  readonly retryAfter_s?: number | undefined;
} {
  const refusal = asRefusal(error);
  if (refusal?.status === 503) {
    const { code, message, retryAfter_s } = refusal;
    return { status: 503, known: { code, message }, retryAfter_s };
  }
  const known = CLIENT_ERRORS[Number(error.status)];
  return known === undefined ? { status: 500 } : { status: Number(error.status), known };
}

/** Answers 404, for a server without the contract's operations. */
export const notFoundHandler: RequestHandler = (_request, response) => {
  response.status(404).json({ error: { code: 'not_found', message: 'There is nothing at this path.' } });
};
