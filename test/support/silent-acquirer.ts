import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';
import type { TestService } from './service.ts';

/** An acquirer over HTTP that does not answer some accounts, as when a merchant's acquirer is down. */
export interface SilentAcquirer extends AsyncDisposable {
  /** Requests of these accounts get no answer from now on, and no connection is closed. */
  silence(...accounts: readonly string[]): void;
  /** New requests are answered again. Those that came meanwhile never are. */
  answerAgain(): void;
  /** Requests of silent accounts: how many wait for an answer now, waited at once, and came in all. */
  waiting(): number;
  mostWaiting(): number;
  unanswered(): number;
}

/**
 * Puts it between a service and a simulated acquirer with the same records, until it is disposed. HTTP client, time-outs,
 * sockets and server are real.
 */
export async function silentAcquirer(service: TestService): Promise<SilentAcquirer> {
  await using cleanUp = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('hex');
  const simulator = await startSimulator({ databaseUrl: service.databaseUrl, secret });
  cleanUp.defer(() => simulator.stop());
  const silent = new Set<string>();
  let waiting = 0;
  let most = 0;
  let unanswered = 0;

  const proxy = createServer(async (request, response) => {
    const body = await text(request);
    if (silent.has(JSON.parse(body).account)) {
      waiting += 1;
      unanswered += 1;
      most = Math.max(most, waiting);
      response.once('close', () => {
        waiting -= 1;
      });
      return;
    }
    const headers = request.headers as Record<string, string>;
    const answer = await fetch(simulator.url + request.url!, { method: 'POST', headers, body });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  cleanUp.defer(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  const { port } = proxy.address() as AddressInfo;
  const client = httpAcquirer({ url: `http://127.0.0.1:${port}`, secret });
  cleanUp.defer(() => client.close());
  const intercepted = service.intercept(() => client);
  cleanUp.defer(() => intercepted.undo());
  const opened = cleanUp.move();
  return {
    silence: (...accounts) => accounts.forEach((account) => void silent.add(account)),
    answerAgain: () => silent.clear(),
    waiting: () => waiting,
    mostWaiting: () => most,
    unanswered: () => unanswered,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
