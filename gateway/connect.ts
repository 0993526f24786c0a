import pg from 'pg';
import type { Environment } from '../domain/merchants/api-key.ts';
import type { Acquirer } from './acquirer.ts';
import { httpAcquirer } from './http-acquirer.ts';
import type { HttpClientOptions } from './http-client.ts';
import { httpSandboxControl } from './http-sandbox-control.ts';
import { missingAcquirer } from './missing-acquirer.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { httpSettlementFiles, noSettlementFiles, type SettlementFiles } from './settlement-files.ts';
import { migrateSimulator } from './simulator/migrate.ts';
import type { SimulatorLog } from './simulator/outbox.ts';
import { startSimulator } from './simulator/start.ts';
import type { SandboxWallet } from './simulator/wallet/provider.ts';

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
  readonly settlementFiles: SettlementFiles;
  /** Null unless the simulated acquirer runs here. */
  readonly sandbox: SandboxControl | null;
  /** The same. */
  readonly sandboxWallet: SandboxWallet | null;
  /** Sets the address to which a simulated acquirer posts its notifications. */
  notifyAt(url: string): void;
}

/** Connects the configured acquirer. `cleanUp` closes the connection. */
export async function connectAcquirer(
  { environment, url, secret, databaseUrl, Client = pg.Client, log }: GatewayOptions,
  cleanUp: AsyncDisposableStack,
): Promise<Gateway> {
  const none = { sandbox: null, sandboxWallet: null, notifyAt() {} };
  if (url !== null) return { ...clientsOf({ url, secret }, cleanUp), ...none };
  if (environment === 'production') {
    return { acquirer: missingAcquirer, settlementFiles: noSettlementFiles, ...none };
  }
  await migrateSimulator(databaseUrl, { Client });
  const simulator = await startSimulator({ databaseUrl, pool: { Client }, secret, log });
  cleanUp.defer(() => simulator.stop());
  const client = { url: simulator.url, secret };
  const clients = clientsOf(client, cleanUp);
  const sandbox = httpSandboxControl(client);
  cleanUp.defer(() => sandbox.close());
  const notifyAt = (address: string) => simulator.notifyAt(address);
  return { ...clients, sandbox, sandboxWallet: simulator.wallet, notifyAt };
}

function clientsOf(options: HttpClientOptions, cleanUp: AsyncDisposableStack) {
  const acquirer = httpAcquirer(options);
  cleanUp.defer(() => acquirer.close());
  const settlementFiles = httpSettlementFiles(options);
  cleanUp.defer(() => settlementFiles.close());
  return { acquirer, settlementFiles };
}
