import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Json } from '../service.ts';

/** A delivery as it arrived. */
export interface Arrival {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Byte for byte. */
  readonly text: string;
  readonly body: Json;
}

/** A merchant's server that takes deliveries. */
export class Receiver implements AsyncDisposable {
  readonly #server;
  readonly arrivals: Arrival[] = [];
  /** How it answers. Default: 200 `ok`. */
  answer: (arrival: Arrival, response: ServerResponse) => void = (_, response) => response.end('ok');

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const arrival = { path: request.url!, headers: request.headers, text, body: JSON.parse(text) };
      this.arrivals.push(arrival);
      this.answer(arrival, response);
    });
  }

  /** On any free port, or the one that an earlier receiver had. */
  static async start(port = 0): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.#server.listen(port, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  get events(): string[] {
    return this.arrivals.map(({ body }) => body.event);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/**
 * The body of an arrival as a Standard Webhooks library reads it. Throws where the signature does not fit the secret.
 */
export function verified(secret: string, { text, headers }: Arrival): Json {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
