/**
 * Node's HTTP server without the service: it refuses every request as the service does when it is full, all requests of
 * one turn of the event loop together. Prints its address.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const TEXT = JSON.stringify({
  error: { code: 'overloaded', message: 'The server has too many requests in progress. Try again shortly.' },
});
const HEADERS = [
  'Content-Type',
  'application/json',
  'Content-Length',
  String(TEXT.length),
  'Retry-After',
  '1',
];

let turnedAway: ServerResponse[] = [];

const server = createServer((_request, response) => {
  if (turnedAway.length === 0) setImmediate(refuseThem);
  turnedAway.push(response);
});

function refuseThem(): void {
  for (const response of turnedAway) {
    response.writeHead(503, HEADERS);
    response.end(TEXT);
  }
  turnedAway = [];
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
