import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const CHANNEL = 'http.server.request.start';

export interface ReceivedRequests extends Disposable {
  /** Of each request: its target, its headers and its body, as the server has read them. */
  texts(): string[];
}

/** Records everything that an HTTP server of this process receives. `url`: its address. */
export function receivedRequests(url: string): ReceivedRequests {
  const { host } = new URL(url);
  const requests: { readonly head: string; readonly chunks: Buffer[] }[] = [];
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.headers.host !== host) return;
    const chunks: Buffer[] = [];
    requests.push({ head: [request.url, ...request.rawHeaders].join('\n'), chunks });
    // A listener for data would start the body before the server is ready for it.
    const push = request.push.bind(request);
    request.push = (chunk, encoding) => {
      if (chunk !== null) chunks.push(Buffer.from(chunk));
      return push(chunk, encoding);
    };
  };
  subscribe(CHANNEL, onRequest);
  return {
    texts: () => requests.map(({ head, chunks }) => `${head}\n\n${Buffer.concat(chunks).toString()}`),
    [Symbol.dispose]: () => void unsubscribe(CHANNEL, onRequest),
  };
}
