import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LONGEST_REQUEST_MS } from '../../services/longest-request.ts';

/** How long a stop waits for running requests. */
const STOP_GRACE_MS = LONGEST_REQUEST_MS + 3_000;
const STOP_SWEEP_MS = 50;
/** How long a stop waits for the first byte on a new connection. */
const STOP_SILENCE_MS = 500;

/** The service cannot listen on the port. The message names the configuration variable. */
class CannotListen extends Error {}

/**
 * Listens, and resolves to the address. Throws `CannotListen`. `cleanUp` closes the server: it accepts no new
 * connection, waits for running requests, and closes the connections that are left after `STOP_GRACE_MS`.
 */
export async function listenOn(
  server: Server,
  { port, host, variable }: { port: number; host: string; variable: string },
  cleanUp: AsyncDisposableStack,
): Promise<string> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const [name, reason] = reasonOf(cause, variable);
      reject(new CannotListen(`Cannot listen on ${host}:${port} (${name}): ${reason}.`));
    });
    server.listen(port, host, resolve);
  });
  cleanUp.defer(() => close(server, connections));
  const { port: actual } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`;
}

function reasonOf(
  { code, message }: NodeJS.ErrnoException,
  variable: string,
): [variable: string, reason: string] {
  if (code === 'EADDRINUSE') return [variable, 'something else is listening there'];
  const isElsewhere = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
  return isElsewhere ? ['HOST', 'it is not an address of this machine'] : [variable, message];
}

function close(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    const closeAll = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
    // To the server, a connection is idle after its first answer only. Browsers and HTTP clients open connections in
    // advance.
    const closeSilent = setTimeout(() => {
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    }, STOP_SILENCE_MS);
    // A keep-alive connection becomes idle after its last answer is sent.
    const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS);
    server.close(() => {
      clearTimeout(closeAll);
      clearTimeout(closeSilent);
      clearInterval(sweep);
      resolve();
    });
  });
}
