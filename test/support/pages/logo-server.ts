import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A PNG of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Answer = (response: ServerResponse) => unknown;

/** A merchant's server with logos. It counts the requests to each path. */
export class LogoServer implements AsyncDisposable {
  readonly #server;
  readonly #answers = new Map<string, Answer>();
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push({ path: request.url!, headers: request.headers });
      this.#answers.get(request.url!)?.(response);
    });
  }

  /** On a free port of this machine. */
  static async start(): Promise<LogoServer> {
    const server = new LogoServer();
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  /** A new address with this answer: a body, as `image/png`, or what the function does. */
  serve(answer: Buffer | string | Answer): string {
    const path = `/${this.#answers.size}`;
    const sendBody: Answer = (response) => response.setHeader('content-type', 'image/png').end(answer);
    this.#answers.set(path, typeof answer === 'function' ? answer : sendBody);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** How often an address was requested. */
  count(url: string): number {
    return this.requests.filter(({ path }) => path === new URL(url).pathname).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
