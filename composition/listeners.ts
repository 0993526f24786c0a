import type { Config } from '../config.ts';
import { readNotification } from '../gateway/notification.ts';
import { Admission } from '../handlers/http/admission/admission.ts';
import { clientAddresses } from '../handlers/http/client-address.ts';
import { gatewayNotifications } from '../handlers/http/gateway-notifications.ts';
import { buildInternalServer } from '../handlers/http/internal-server.ts';
import { listenOn } from '../handlers/http/listen.ts';
import { loadContract } from '../handlers/http/load-contract.ts';
import type { Metrics } from '../handlers/http/metrics.ts';
import { buildServer, type ServerOptions } from '../handlers/http/server.ts';
import { handlers } from '../handlers/index.ts';
import type { Deps } from '../services/deps.ts';
import type { KeyUsage } from '../services/merchants/key-usage.ts';
import { assertReady } from '../services/readiness.ts';
import { checkoutForms } from '../web/checkout/checkout-pages.ts';
import { errorPage } from '../web/checkout/error-page.ts';

export interface ListenerOptions {
  readonly config: Config;
  readonly deps: Deps;
  readonly metrics: Metrics;
  readonly usage: KeyUsage;
  /** Signs the acquirer's notifications. */
  readonly acquirerSecret: string;
  /** Adds pages to the public listener. */
  readonly addPages: ServerOptions['addPages'];
}

export interface Addresses {
  /** The address of the public listener; null in the role `worker`. */
  readonly url: string | null;
  readonly internalUrl: string;
}

/** Starts the internal listener and, except in the role `worker`, the public one. */
export async function startListeners(
  options: ListenerOptions,
  cleanUp: AsyncDisposableStack,
): Promise<Addresses> {
  const { config, deps, metrics, usage, acquirerSecret, addPages } = options;
  const { publicHosts } = config;
  const ready = () => assertReady(deps);
  const admission = new Admission({
    limit: config.maxInFlight,
    upstreamCalls: deps.upstreamCalls,
    metrics,
    log: deps.log,
    pageOf: errorPage,
  });
  const notifications = gatewayNotifications(deps, admission, (headers, body, wall_ms) =>
    readNotification(headers, body, acquirerSecret, wall_ms),
  );
  const internal = buildInternalServer({ metrics, ready, publicHosts, notifications, log: deps.log });
  const internalUrl = await listenOn(
    internal,
    { port: config.internalPort, host: '127.0.0.1', variable: 'INTERNAL_PORT' },
    cleanUp,
  );
  if (config.role === 'worker') return { url: null, internalUrl };

  const server = await buildServer({
    deps,
    contract: loadContract(),
    handlers,
    metrics,
    admission,
    clientAddress: clientAddresses(config.trustedProxies),
    ready,
    keyUsed: ({ principal }) => usage.used(principal!.merchant, principal!.keyId, deps.wall()),
    notifications,
    forms: checkoutForms(),
    errorPage,
    addPages,
  });
  return {
    url: await listenOn(server, { port: config.port, host: config.host, variable: 'PORT' }, cleanUp),
    internalUrl,
  };
}
