import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A TCP server that counts connections. `serve` gets each; without it they stay open. */
export class Listener implements AsyncDisposable {
  readonly #server;
  readonly #sockets = new Set<Socket>();
  connections = 0;

  private constructor(serve: (socket: Socket) => void) {
    this.#server = createServer((socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => this.#sockets.delete(socket));
      serve(socket);
    });
  }

  /** On all addresses of this machine. */
  static async start(serve: (socket: Socket) => void = () => {}): Promise<Listener> {
    const listener = new Listener(serve);
    listener.#server.listen(0);
    await once(listener.#server, 'listening');
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
