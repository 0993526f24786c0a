/**
 * Node's HTTP server and nothing of ours: it answers every request as the service answers one for which it has no room.
 * Prints its address.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TEXT = JSON.stringify({
  error: { code: 'overloaded', message: 'Too many requests are being worked on. Try again shortly.' },
});
const HEADERS = [
  'Content-Type',
  'application/json',
  'Content-Length',
  String(TEXT.length),
  'Retry-After',
  '1',
];

const server = createServer((_request, response) => {
  response.writeHead(503, HEADERS);
  response.end(TEXT);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
