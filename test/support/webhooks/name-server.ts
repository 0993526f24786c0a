import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A name server on UDP whose answers a test decides. */
export class NameServer implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #unanswered: (() => void)[] = [];
  /** Hosts asked for, in their order: each twice, for IPv4 and for IPv6. */
  readonly asked: string[] = [];

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  /**
   * `addressOf` returns one address or several, null for an unknown host, or undefined for no answer yet.
   */
  static async start(
    addressOf: (host: string) => string | readonly string[] | null | undefined,
  ): Promise<NameServer> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const server = new NameServer(socket);
    socket.on('message', (query, { port, address }) => {
      const host = hostOf(query);
      server.asked.push(host);
      const found = addressOf(host);
      const answer = () => socket.send(answerTo(query, [found ?? []].flat()), port, address);
      if (found === undefined) server.#unanswered.push(answer);
      else answer();
    });
    return server;
  }

  /** `address:port`. */
  get address(): string {
    return `127.0.0.1:${(this.#socket.address() as AddressInfo).port}`;
  }

  /** Answers all open queries: there is no such host. */
  answerOpenQueries(): void {
    for (const answer of this.#unanswered.splice(0)) answer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.answerOpenQueries();
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

// A message (RFC 1035, section 4.1): a header of 12 bytes, then the question, whose name is labels with their lengths.
const HEADER_BYTES = 12;
const TYPE_A = 1;
const TYPE_AAAA = 28;
const NO_SUCH_NAME = 3;

function hostOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; query[at] !== 0; at += query[at]! + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
  }
  return labels.join('.');
}

/** Without any address: there is no such host. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5;
  const question = query.subarray(HEADER_BYTES, questionEnd);
  const asked = question.readUInt16BE(question.length - 4);
  const records = addresses
    .map(recordOf)
    .filter(({ type }) => type === asked)
    .map(({ bytes }) => bytes);
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // The flags: an answer, recursion desired, recursion available.
  header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function recordOf(address: string): { type: number; bytes: Buffer } {
  const isIPv6 = address.includes(':');
  const type = isIPv6 ? TYPE_AAAA : TYPE_A;
  const data = isIPv6
    ? Buffer.from(groupsOf(address).join(''), 'hex')
    : Buffer.from(address.split('.').map(Number));
  const name = [0xc0, HEADER_BYTES];
  const typeClassTtlLength = [0, type, 0, 1, 0, 0, 0, 60, 0, data.length];
  return { type, bytes: Buffer.concat([Buffer.from([...name, ...typeClassTtlLength]), data]) };
}

/** The eight groups of an IPv6 address, of four digits each. */
function groupsOf(address: string): string[] {
  // The URL parser writes an IPv4 part as two groups.
  const [left, right] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const first = left!.split(':').filter(Boolean);
  const last = (right ?? '').split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].map((group) => group.padStart(4, '0'));
}
