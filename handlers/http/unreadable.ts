import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { responseInProgress } from './node-internals.ts';

/** Status by Node's error code. The default is 400. */
const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const BODY = { error: { code: 'unreadable_request', message: 'The request could not be read.' } };

/**
 * Refuses a request with several Host headers, or in HTTP/1.1 without one (RFC 9112, section 3.2), and returns whether
 * it did. Node would use the first of several, and answer a missing one without body and request id.
 */
export function refuseBadHost(request: IncomingMessage, response: ServerResponse): boolean {
  const lines = hostLines(request.rawHeaders);
  if (lines === 1 || (lines === 0 && request.httpVersion === '1.0')) return false;
  refuse(response, 400);
  return true;
}

/** Raw headers are names and values in turn. */
function hostLines(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/**
 * Answers bytes that are not an HTTP request, and requests that time out, with a body and a request id like any other
 * refusal (contract row 1.14). They do not reach a handler, and Node's own answer has no body.
 */
export function answerUnreadable(server: Server): void {
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 417));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const response = responseInProgress(socket);
    // Part of another answer is already sent, so a second one would corrupt it.
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
      socket.destroy(error);
      return;
    }
    // A complete request came before the unreadable bytes. Its answer is the last one on this connection.
    if (response?.req.complete === true) {
      response.shouldKeepAlive = false;
      return;
    }
    const status = STATUS_OF[error.code ?? ''] ?? 400;
    const body = JSON.stringify(BODY);
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Connection: close',
        `X-Request-Id: ${randomUUID()}`,
        'X-Content-Type-Options: nosniff',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
  });
}

function refuse(response: ServerResponse, status: number): void {
  const body = JSON.stringify(BODY);
  response.writeHead(status, {
    Connection: 'close',
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
