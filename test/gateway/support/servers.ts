import { once } from 'node:events';
import type { createServer } from 'node:http';
import type { AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Acquirer } from '../../../gateway/acquirer.ts';
import { Customer } from './acquirer.ts';

/** Servers of a test's own making, and what has to be closed after it. */
export function servers() {
  const cleanUp: (() => unknown)[] = [];

  /** Lets the server listen, and answers its address. */
  async function listen(server: ReturnType<typeof createServer | typeof createTcpServer>): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUp.push(() => {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  return { cleanUp, listen };
}

/** A customer who asks this acquirer, without a sandbox's control. */
export function customerOf(acquirer: Acquirer): Customer {
  return new Customer({ acquirer } as unknown as ConstructorParameters<typeof Customer>[0]);
}
