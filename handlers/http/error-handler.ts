import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Log } from '../../services/deps.ts';
import type { ErrorPageOf } from './error-page.ts';

/** Public errors for the errors of Express and its body parsers, by status. Any other error is internal. */
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
    const known = CLIENT_ERRORS[Number(error.status)];
    const status = known === undefined ? 500 : Number(error.status);
    if (known === undefined) {
      const request_id = response.getHeader('X-Request-Id');
      log.error({ request_id, method: request.method, status, err: error }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The rest of the body would be read as the next request on this connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    const page = pageOf(request, status);
    if (page === undefined) response.status(status).json({ error: known ?? INTERNAL_ERROR });
    else response.status(status).set(page.headers).end(page.text);
  };
}

/** Answers 404, for a server without the contract's operations. */
export const notFoundHandler: RequestHandler = (_request, response) => {
  response.status(404).json({ error: { code: 'not_found', message: 'There is nothing at this path.' } });
};
