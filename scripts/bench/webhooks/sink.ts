/**
 * A receiver in its own process. It answers POST /hook and /timed with 200 and does not answer POST /slow. GET /counts
 * returns what has arrived since the last POST /forget, which also ends the connections of /slow. Prints its address.
 *
 * It reads only what it needs of HTTP: with the server of Node it would use as much processor time as the sender.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface Counts {
  readonly hook: number;
  readonly slow: number;
  /** When the last POST /hook arrived, in milliseconds since 1970. */
  readonly last_at: number;
  /** For each POST /timed: the time from the event to its arrival. */
  readonly latencies_ms: readonly number[];
}

const nothing = () => ({ hook: 0, slow: 0, last_at: 0, latencies_ms: [] as number[] });
let counts = nothing();
const unanswered = new Set<Socket>();

const HEAD_END = '\r\n\r\n';
const EMPTY = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let length = requestLength(rest); length > 0; length = requestLength(rest)) {
      answer(socket, rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
  socket.on('error', () => {});
  socket.once('close', () => unanswered.delete(socket));
});

/** Bytes of the request at the beginning of the buffer; 0 if it is not complete. */
function requestLength(bytes: Buffer): number {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1) return 0;
  const body = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1] ?? 0;
  const length = end + HEAD_END.length + Number(body);
  return bytes.length < length ? 0 : length;
}

function answer(socket: Socket, request: Buffer): void {
  switch (request.toString('latin1', 0, request.indexOf(' HTTP'))) {
    case 'POST /hook':
      counts.hook += 1;
      counts.last_at = Date.now();
      break;
    case 'POST /slow':
      counts.slow += 1;
      unanswered.add(socket);
      return;
    case 'POST /timed':
      counts.latencies_ms.push(Date.now() - Date.parse(bodyOf(request).created_at));
      break;
    case 'GET /counts': {
      const text = JSON.stringify(counts satisfies Counts);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
      return;
    }
    default:
      counts = nothing();
      for (const slow of unanswered) slow.destroy();
  }
  socket.write(EMPTY);
}

function bodyOf(request: Buffer) {
  return JSON.parse(request.toString('utf8', request.indexOf(HEAD_END) + HEAD_END.length));
}

server.listen(0, '127.0.0.1', 4_096, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
