/**
 * A receiver in its own process. It answers POST /hook and /timed with 200 and does not answer POST /slow. GET /counts returns
 * what has arrived since the last POST /forget, which also ends the connections of /slow. Prints its address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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
const unanswered = new Set<ServerResponse>();

const server = createServer((request, response) => {
  switch (request.url) {
    case '/hook':
      request.resume().once('end', () => {
        counts.hook += 1;
        counts.last_at = Date.now();
        response.end();
      });
      return;
    case '/slow':
      request.resume();
      counts.slow += 1;
      unanswered.add(response);
      response.once('close', () => unanswered.delete(response));
      return;
    case '/timed':
      void latencyOf(request).then((latency_ms) => {
        counts.latencies_ms.push(latency_ms);
        response.end();
      });
      return;
    case '/counts':
      response.end(JSON.stringify(counts satisfies Counts));
      return;
    default:
      counts = nothing();
      for (const { socket } of unanswered) socket?.destroy();
      request.resume();
      response.end();
  }
});

async function latencyOf(request: IncomingMessage): Promise<number> {
  const now = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return now - Date.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')).created_at);
}

server.listen(0, '127.0.0.1', 4_096, () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
