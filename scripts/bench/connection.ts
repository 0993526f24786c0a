import { connect, type Socket } from 'node:net';

/** A request as it goes over the wire. */
export interface Message {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: string;
  /** The address of the client behind a proxy. */
  readonly address?: string;
}

/**
 * A keep-alive connection with one request at a time. It reads only the status and the end of an answer, because the
 * load generator runs on the machine of the server, and a slower client would slow down the server.
 */
export class Connection {
  readonly #host: string;
  readonly #socket: Socket;
  #answered: (status: number) => void = () => {};
  #isOpen = true;
  /** Bytes of a partial head. */
  #head = '';
  #status = 0;
  /** Bytes of the body that are still to come. */
  #left = 0;

  constructor(origin: string) {
    const { host, hostname, port } = new URL(origin);
    this.#host = host;
    this.#socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      // All connections share one buffer, which is read before the next read fills it.
      onread: { buffer: BUFFER, callback: (length) => this.#read(length) },
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.#isOpen = false;
      this.#end(0);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Resolves to the status of the answer when all of it has been read. Resolves to 0 when the connection broke, or was
   * closed because the answer has no length or more bytes follow it.
   */
  ask({ method, path, key, body, address }: Message): Promise<number> {
    if (!this.#isOpen) return Promise.resolve(0);
    const content =
      body === undefined
        ? '\r\n'
        : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    const forwarded = address === undefined ? '' : `X-Forwarded-For: ${address}\r\n`;
    this.#socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: ${this.#host}\r\nAuthorization: Bearer ${key}\r\n${forwarded}${content}`,
    );
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): boolean {
    if (this.#left > 0) this.#left -= length;
    else {
      this.#head += BUFFER.toString('latin1', 0, length);
      const end = this.#head.indexOf('\r\n\r\n');
      if (end === -1) return true;
      this.#status = Number(this.#head.slice(9, 12));
      this.#left = Number(LENGTH.exec(this.#head)?.[1]) - (this.#head.length - end - 4);
      this.#head = '';
    }
    if (this.#left === 0) this.#end(this.#status);
    else if (!(this.#left > 0)) this.#socket.destroy();
    return true;
  }

  #end(status: number): void {
    const answered = this.#answered;
    this.#answered = () => {};
    answered(status);
  }
}

const BUFFER = Buffer.allocUnsafe(64 * 1024);
const LENGTH = /\r\ncontent-length: *(\d+)/i;
