import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Json } from '../../support/service.ts';

/** An answer of the service, which a tampering changes in place. */
export interface PassingAnswer {
  status: number;
  readonly headers: Headers;
  body: Json;
}

export interface Tampering {
  /** Which answers: method, path below the prefix, and the service's status. */
  readonly of: readonly [method: string, path: RegExp, status: number];
  readonly change: (answer: PassingAnswer) => void;
}

export interface TamperingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many answers were changed. */
  changed(): number;
}

/** Starts a proxy that changes answers of a service. */
export async function startTamperingProxy(
  serviceUrl: string,
  tamperings: readonly Tampering[],
): Promise<TamperingProxy> {
  let changed = 0;
  const answerOf = async (request: IncomingMessage): Promise<PassingAnswer> => {
    const { method = '', url = '' } = request;
    const answer = await passOn(serviceUrl, request);
    const path = url.replace(/^\/api\/v1|\?.*$/g, '');
    for (const { of, change } of tamperings) {
      if (of[0] !== method || !of[1].test(path) || of[2] !== answer.status) continue;
      change(answer);
      changed += 1;
    }
    return answer;
  };
  const server = createServer(async (request, response) => {
    try {
      const { status, headers, body } = await answerOf(request);
      response.writeHead(status, Object.fromEntries(headers));
      response.end(body === undefined ? '' : JSON.stringify(body));
    } catch (error) {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The answer cannot be changed: ${(error as Error).stack}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    changed: () => changed,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Forwards a request and returns the service's answer. */
async function passOn(serviceUrl: string, request: IncomingMessage): Promise<PassingAnswer> {
  const { method = '', url = '' } = request;
  const asked = await buffer(request);
  // Java asks for an upgrade to HTTP/2 on every connection without TLS. The upgrade is not forwarded.
  const { host, connection, upgrade, 'content-length': _length, ...headers } = request.headers;
  const real = await fetch(serviceUrl + url, {
    method,
    headers: headers as Record<string, string>,
    ...(asked.length > 0 && { body: asked as never }),
  });
  const text = await real.text();
  const body = text === '' ? undefined : JSON.parse(text);
  const answer: PassingAnswer = { status: real.status, headers: new Headers(real.headers), body };
  for (const hop of ['connection', 'keep-alive', 'content-length', 'transfer-encoding']) {
    answer.headers.delete(hop);
  }
  return answer;
}
