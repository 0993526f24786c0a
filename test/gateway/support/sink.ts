import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AcquirerNotification, NotificationType } from '../../../gateway/acquirer.ts';
import { readNotification } from '../../../gateway/notification.ts';

/** A notification as it came over the wire. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Read and verified; null when its signature or shape is wrong, or it is about no payment. */
  readonly notification: AcquirerNotification | null;
}

export interface Sink {
  readonly url: string;
  readonly received: Received[];
  /** Answers the next so many notifications with this status, and does not count them as received. */
  refuse(times: number, status: number): void;
  /** Called as each arrives, before it is answered. */
  onArrival: (notification: AcquirerNotification) => void;
  /** What arrived for the account, in the order of arrival. */
  of(account: string): AcquirerNotification[];
  types(account: string): NotificationType[];
  readonly refused: number;
  close(): Promise<void>;
}

/** Receives notifications like the service would. */
export async function startSink(secret: string): Promise<Sink> {
  let toRefuse = 0;
  let status = 500;
  let refused = 0;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (toRefuse > 0) {
      toRefuse--;
      refused++;
      response.writeHead(status).end();
      return;
    }
    const body = Buffer.concat(chunks);
    const read = readNotification(request.headers, body, secret, Date.now());
    const notification = typeof read === 'string' || read.type === 'network_token.updated' ? null : read;
    received.push({ headers: request.headers, body, notification });
    if (notification) sink.onArrival(notification);
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`,
    received,
    get refused() {
      return refused;
    },
    refuse(times, withStatus) {
      toRefuse = times;
      status = withStatus;
    },
    onArrival: () => {},
    of: (account) => received.flatMap(({ notification: n }) => (n?.account === account ? [n] : [])),
    types: (account) => sink.of(account).map(({ type }) => type),
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return sink;
}
