import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pathAndQuery, readTarget } from '../../handlers/http/target.ts';
import { chooseExample } from './choose-example.ts';
import { operationsOf } from './contract-examples.ts';

export interface Front extends AsyncDisposable {
  /** Root of the server. */
  readonly url: string;
}

export interface FrontOptions {
  /** The bundled contract, JSON. */
  readonly document: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Origin of Prism. */
  readonly prismUrl: string;
}

const HOST = '127.0.0.1';
const BAD_GATEWAY = 502;
/** Headers of one connection, which are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/**
 * Starts a server that forwards requests to Prism with a `Prefer` header, so that Prism answers with the example that
 * fits. Throws when the port is in use.
 */
export async function startFront({ document, port, prismUrl }: FrontOptions): Promise<Front> {
  const contract = JSON.parse(document);
  const [{ url: prefix }] = contract.servers as [{ url: string }];
  const find = operationsOf(contract);

  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null);
    // The client closed the connection.
    if (body === null) return;
    const { method = '', headers } = request;
    readTarget(request);
    const [path, query] = pathAndQuery(request.url!);
    request.url = query === '' ? readable(path) : `${readable(path)}?${query}`;
    const operation = path.startsWith(prefix) ? find(method, path.slice(prefix.length)) : null;
    const prefer = [headers.prefer ?? ''].flat().join(', ');
    if (operation === null) return forward(prismUrl, request, prefer, body, response);
    const choice = chooseExample(operation, prefer, parsed(body));
    if ('prefer' in choice) return forward(prismUrl, request, choice.prefer, body, response);
    response.writeHead(400, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
    response.end(JSON.stringify({ error: choice.refusal }));
  });
  await listen(server, port);
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? new Error(`Something else listens on ${HOST}:${port}.`) : error);
    });
    server.listen(port, HOST, resolve);
  });
}

/**
 * Headers that the mock sets itself. Like the service, it ignores `Accept`: it answers in JSON, or with a stream of
 * events.
 */
function isReplaced(header: string): boolean {
  return header === 'prefer' || header === 'accept';
}

/** Sends the request to Prism with this `Prefer`, and its answer to the client. */
function forward(
  prismUrl: string,
  { method, url, headers }: IncomingMessage,
  prefer: string,
  body: Buffer,
  response: ServerResponse,
): void {
  const others = Object.entries(headers).filter(([name]) => !isReplaced(name) && !HOP_BY_HOP.has(name));
  const sent = requestOf(prismUrl, {
    method,
    path: url,
    headers: {
      ...Object.fromEntries(others),
      accept: 'application/json, text/event-stream',
      ...(prefer === '' ? {} : { prefer }),
      ...(body.length === 0 ? {} : { 'content-length': body.length }),
    },
  });
  sent.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? BAD_GATEWAY, answer.headers);
    answer.pipe(response);
  });
  sent.once('error', (error) => {
    if (response.headersSent) return response.destroy();
    response.writeHead(BAD_GATEWAY, { 'content-type': 'text/plain' });
    response.end(`Prism does not answer: ${error.message}\n`);
  });
  sent.end(body);
}

/**
 * The path in a form that Prism can read. Prism crashes on a segment that cannot be decoded, so its `%` are encoded. It
 * takes the text after two leading slashes for a host, so they become one.
 */
function readable(path: string): string {
  return path
    .replace(/^\/+/, '/')
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : segment.replaceAll('%', '%25')))
    .join('/');
}

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}

/** Undefined for invalid JSON, which Prism refuses. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
