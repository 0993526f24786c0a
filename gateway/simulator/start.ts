import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { openPool } from './database.ts';
import { outbox, type SimulatorLog } from './outbox.ts';
import { runAllDue } from './run-due.ts';
import { causeOf, simulatorServer } from './server.ts';
import { type Simulator, sentTogether } from './simulator.ts';
import { type SandboxWallet, startWalletProvider } from './wallet/provider.ts';
import { walletTokenKey } from './wallet/tokens.ts';

export interface SimulatorOptions {
  /** The database with the simulator's schema, which `migrateSimulator` creates. */
  readonly databaseUrl: string;
  /** Further options of the `pg` pool. By default it has 10 connections. */
  readonly pool?: PoolConfig;
  /** Shared with the client: signs its requests and our notifications. */
  readonly secret: string;
  /** The address for notifications. Without it they wait until `notifyAt` is called. */
  readonly notificationUrl?: string;
  /** The port on 127.0.0.1; default: any free port. */
  readonly port?: number;
  /** The shortest time until an answer, as of an acquirer that is far away. Default 0. */
  readonly answerAfter_ms?: number;
  readonly log?: SimulatorLog;
}

export interface RunningSimulator {
  readonly url: string;
  readonly port: number;
  readonly wallet: SandboxWallet;
  /** Sets the address for notifications. */
  notifyAt(url: string): void;
  /** Stops answering and sending. The next start continues with what is stored. */
  stop(): Promise<void>;
}

/** How often the background loop looks for due events and for notifications to send. */
const TICK_MS = 400;

const SILENT: SimulatorLog = { error() {} };

/** Starts the simulated acquirer. Several can run on one database. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { databaseUrl, secret, port = 0, answerAfter_ms = 0, log = SILENT } = options;
  let notificationUrl = options.notificationUrl ?? null;
  const pool = openPool({ ...options.pool, connectionString: databaseUrl });
  const simulator = {
    pool,
    outbox: outbox(pool, secret, () => notificationUrl, log),
    walletTokenKey: walletTokenKey(secret),
    together: sentTogether(pool),
  };
  const wallet = await startWalletProvider(pool);
  const server = simulatorServer(simulator, { secret, answerAfter_ms, log });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const stopping = new AbortController();
  const ticking = tickUntil(stopping.signal, simulator, log);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    wallet,
    notifyAt(url) {
      notificationUrl = url;
    },
    async stop() {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      wallet.stop();
      await simulator.outbox.close();
      await ticking;
      await pool.end();
    },
  };
}

/**
 * The background loop: runs due events and sends notifications. A failure is logged, and the next round tries again.
 */
async function tickUntil(stopping: AbortSignal, simulator: Simulator, log: SimulatorLog): Promise<void> {
  while (!stopping.aborted) {
    try {
      await runAllDue(simulator);
      while (!stopping.aborted && (await simulator.outbox.sendDue(null)) > 0);
    } catch (error) {
      log.error({ cause: causeOf(error) }, 'the simulated acquirer failed in the background');
    }
    await delay(TICK_MS, undefined, { signal: stopping }).catch(() => {});
  }
}
