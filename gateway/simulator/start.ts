import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { PoolConfig } from 'pg';
import { runAllDue } from './due.ts';
import { outbox, type SimulatorLog } from './outbox.ts';
import { causeOf, simulatorServer } from './server.ts';
import type { Simulator } from './simulator.ts';
import { openBooks } from './store.ts';

export interface SimulatorOptions {
  /** The database whose schema `simulator` holds the books; `migrateSimulator` made it. */
  readonly databaseUrl: string;
  /** Further options of the `pg` pool; it holds 10 connections unless they say otherwise. */
  readonly pool?: PoolConfig;
  /** Shared with the client: signs its requests and our notifications. */
  readonly secret: string;
  /** Where notifications are posted; without it they wait until `notifyAt` tells. */
  readonly notificationUrl?: string;
  /** Port on 127.0.0.1; default any that is free. */
  readonly port?: number;
  readonly log?: SimulatorLog;
}

export interface RunningSimulator {
  readonly url: string;
  readonly port: number;
  /** Where notifications are posted from now on. */
  notifyAt(url: string): void;
  /** Stops answering and sending; what waits in the books is taken up by the next start. */
  stop(): Promise<void>;
}

/** How often the background loop looks for what is due, and for notifications to send. */
const TICK_MS = 400;

const SILENT: SimulatorLog = { error() {} };

/** Starts the simulated acquirer. Several may run over the same books. */
export async function startSimulator(options: SimulatorOptions): Promise<RunningSimulator> {
  const { databaseUrl, secret, port = 0, log = SILENT } = options;
  let notificationUrl = options.notificationUrl ?? null;
  const pool = openBooks({ ...options.pool, connectionString: databaseUrl });
  const simulator = { pool, outbox: outbox(pool, secret, () => notificationUrl, log) };
  const server = simulatorServer(simulator, secret, log);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const stopping = new AbortController();
  const ticking = tickUntil(stopping.signal, simulator, log);
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    notifyAt(url) {
      notificationUrl = url;
    },
    async stop() {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await simulator.outbox.close();
      await ticking;
      await pool.end();
    },
  };
}

/** The background loop: what fell due happens, what waits is sent. A failure is logged and tried again. */
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
