import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpAcquirer } from '../../../gateway/http-acquirer.ts';
import { startSimulator } from '../../../gateway/simulator/start.ts';
import type { TestService } from '../service.ts';

/** An acquirer over HTTP that does not answer requests of some accounts, as when a merchant's acquirer is down. */
export interface SilentAcquirer extends AsyncDisposable {
  /** Stops answering requests of these accounts. Their connections stay open. */
  silence(...accounts: readonly string[]): void;
  /** Answers all accounts again, and breaks the connections of waiting requests. Their client sends them once more. */
  answerAgain(): void;
  /** Requests of silent accounts that wait for an answer. */
  waiting(): number;
  /** The highest number of such requests at once. */
  mostWaiting(): number;
  /** All requests of silent accounts so far. */
  unanswered(): number;
}

export interface SilentAcquirerOptions {
  /**
   * How long the service waits for an answer. The default is longer than `until` waits, so no test passes by a
   * time-out.
   */
  readonly timeout_ms?: number;
}

/**
 * Puts it between a service and a simulated acquirer with the same records, until it is disposed. HTTP client,
 * time-outs, sockets and server are real.
 */
export async function silentAcquirer(
  service: TestService,
  { timeout_ms = 180_000 }: SilentAcquirerOptions = {},
): Promise<SilentAcquirer> {
  await using cleanUp = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('hex');
  const simulator = await startSimulator({ databaseUrl: service.databaseUrl, secret });
  cleanUp.defer(() => simulator.stop());
  const silent = new Set<string>();
  const waiting = new Set<ServerResponse>();
  let most = 0;
  let unanswered = 0;

  const proxy = createServer(async (request, response) => {
    const body = await text(request);
    if (silent.has(JSON.parse(body).account)) {
      waiting.add(response);
      unanswered += 1;
      most = Math.max(most, waiting.size);
      response.once('close', () => waiting.delete(response));
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
  const client = httpAcquirer({
    url: `http://127.0.0.1:${port}`,
    secret,
    timeout_ms,
    inquiryTimeout_ms: timeout_ms,
  });
  cleanUp.defer(() => client.close());
  const intercepted = service.intercept(() => client);
  cleanUp.defer(() => intercepted.undo());
  const opened = cleanUp.move();
  return {
    silence: (...accounts) => accounts.forEach((account) => void silent.add(account)),
    answerAgain: () => {
      silent.clear();
      for (const response of waiting) response.destroy();
    },
    waiting: () => waiting.size,
    mostWaiting: () => most,
    unanswered: () => unanswered,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
