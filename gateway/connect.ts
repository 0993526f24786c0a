import pg from 'pg';
import type { Environment } from '../domain/merchants/api-key.ts';
import type { Acquirer } from './acquirer.ts';
import { httpAcquirer } from './http-acquirer.ts';
import type { HttpClientOptions } from './http-client.ts';
import { httpSandboxControl } from './http-sandbox-control.ts';
import { missingAcquirer } from './missing-acquirer.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { migrateSimulator } from './simulator/migrate.ts';
import type { SimulatorLog } from './simulator/outbox.ts';
import { startSimulator } from './simulator/start.ts';

export interface GatewayOptions {
  readonly environment: Environment;
  /** The address of the acquirer. Null: the simulated acquirer is started in a sandbox, and production has none. */
  readonly url: string | null;
  /** Signs the messages in both directions; shared with the acquirer. */
  readonly secret: string;
  /** The database of the simulator. */
  readonly databaseUrl: string;
  /** The class for connections to that database. */
  readonly Client?: typeof pg.Client;
  readonly log: SimulatorLog;
}

export interface Gateway {
  readonly acquirer: Acquirer;
  /** Null unless the simulated acquirer runs here. */
  readonly sandbox: SandboxControl | null;
  /** Sets the address to which a simulated acquirer posts its notifications. */
  notifyAt(url: string): void;
}

/** Connects the configured acquirer. `cleanUp` closes the connection. */
export async function connectAcquirer(
  { environment, url, secret, databaseUrl, Client = pg.Client, log }: GatewayOptions,
  cleanUp: AsyncDisposableStack,
): Promise<Gateway> {
  if (url !== null) return { acquirer: clientOf({ url, secret }, cleanUp), sandbox: null, notifyAt() {} };
  if (environment === 'production') return { acquirer: missingAcquirer, sandbox: null, notifyAt() {} };
  await migrateSimulator(databaseUrl, { Client });
  const simulator = await startSimulator({ databaseUrl, pool: { Client }, secret, log });
  cleanUp.defer(() => simulator.stop());
  const client = { url: simulator.url, secret };
  const acquirer = clientOf(client, cleanUp);
  const sandbox = httpSandboxControl(client);
  cleanUp.defer(() => sandbox.close());
  return { acquirer, sandbox, notifyAt: (address) => simulator.notifyAt(address) };
}

function clientOf(options: HttpClientOptions, cleanUp: AsyncDisposableStack): Acquirer {
  const acquirer = httpAcquirer(options);
  cleanUp.defer(() => acquirer.close());
  return acquirer;
}
