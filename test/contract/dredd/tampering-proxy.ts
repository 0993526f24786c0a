import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Json } from '../../support/service.ts';

/** An answer on its way from the service to Dredd, to be changed in place. */
export interface PassingAnswer {
  status: number;
  readonly headers: Headers;
  body: Json;
}

export interface Tampering {
  /** Of whom: method, path below the prefix, and the status that the service gave. */
  readonly of: readonly [method: string, path: RegExp, status: number];
  readonly change: (answer: PassingAnswer) => void;
}

export interface TamperingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many answers were changed. */
  changed(): number;
}

/** Stands in front of a service and changes what it answers. */
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

/** The service's answer to a request. */
async function passOn(serviceUrl: string, request: IncomingMessage): Promise<PassingAnswer> {
  const { method = '', url = '' } = request;
  const asked = await buffer(request);
  // Java offers HTTP/2 on every connection without TLS; it is not taken up.
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
