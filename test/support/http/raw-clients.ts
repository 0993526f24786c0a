/** Clients that disconnect in the middle of a request of a service in this process. */
import diagnostics from 'node:diagnostics_channel';
import { connect, type Socket } from 'node:net';
import { until } from '../until.ts';

/** Raw connections to one port of a service in this process. */
export class RawClients {
  readonly #port: number;
  readonly #clients = new Set<Socket>();
  readonly #served = new Set<Socket>();
  #accepted = 0;
  #requests = 0;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
    diagnostics.subscribe('net.server.socket', this.#onSocket);
    diagnostics.subscribe('http.server.request.start', this.#onRequest);
  }

  /** Requests that the service has received on these connections. */
  get received(): number {
    return this.#requests;
  }

  /** Opens a connection and sends the bytes. With `isReading` false it does not read the answer. */
  async send(bytes: string, isReading = true): Promise<Socket> {
    const socket = connect(this.#port, '127.0.0.1');
    this.#clients.add(socket);
    socket.on('error', () => {});
    if (isReading) socket.resume();
    await new Promise((resolve) => socket.write(bytes, resolve));
    return socket;
  }

  /** Closes all connections. Resolves when the service has noticed: until then it may work for them. */
  async disconnect(how: 'close' | 'reset' = 'close'): Promise<void> {
    const count = this.#clients.size;
    for (const socket of this.#clients) {
      if (how === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    }
    this.#clients.clear();
    await until(
      'the service has noticed that they are gone',
      () => this.#accepted >= count && this.#served.size === 0,
    );
    this.#accepted -= count;
  }

  [Symbol.dispose](): void {
    diagnostics.unsubscribe('net.server.socket', this.#onSocket);
    diagnostics.unsubscribe('http.server.request.start', this.#onRequest);
    for (const socket of this.#clients) socket.destroy();
  }

  readonly #onSocket = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort !== this.#port) return;
    this.#accepted += 1;
    this.#served.add(socket);
    socket.once('close', () => this.#served.delete(socket));
  };

  readonly #onRequest = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    if (socket.localPort === this.#port) this.#requests += 1;
  };
}
