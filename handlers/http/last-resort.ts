import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Log } from '../../services/deps.ts';

/** What a client may be told of an error that Express or a body parser threw; anything else is ours. */
const OF_STATUS: Readonly<Record<number, { code: string; message: string }>> = {
  400: { code: 'bad_request', message: 'The request could not be read.' },
  413: { code: 'payload_too_large', message: 'The body is too large.' },
  415: { code: 'unsupported_media_type', message: 'Send the body without a content encoding.' },
};
const OURS = {
  code: 'internal_error',
  message: 'Something went wrong on our side. The request id helps us to find it.',
};

/** Stands last, so that no error outside the contract's operations is answered by Express, which prints its stack. */
export function lastResort(log: Log): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return (error: { status?: unknown }, request, response, _next) => {
    const known = OF_STATUS[Number(error.status)];
    const status = known === undefined ? 500 : Number(error.status);
    if (known === undefined) {
      const request_id = response.getHeader('X-Request-Id');
      log.error({ request_id, method: request.method, status, err: error }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A body that nobody read would be taken for the next request on this connection.
    if (!request.complete) response.setHeader('Connection', 'close');
    response.status(status).json({ error: known ?? OURS });
  };
}

/** For a listener that has no contract to say so. */
export const nothingHere: RequestHandler = (_request, response) => {
  response.status(404).json({ error: { code: 'not_found', message: 'There is nothing at this path.' } });
};
