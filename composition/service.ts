import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { startRetries } from '../db/engine/start-retries.ts';
import { createMetrics, type Metrics } from '../handlers/http/metrics.ts';
import { presenters } from '../handlers/presenters.ts';
import { housekeeping } from '../jobs/housekeeping.ts';
import {
  backgroundJobs,
  CARD_USES,
  CLOCKED_WORK,
  MANDATE_LISTENERS,
  MERCHANT_TABLES,
  NOTIFICATION_URLS,
  PAYMENT_LISTENERS,
} from '../jobs/index.ts';
import { startJob } from '../jobs/loop.ts';
import { PaymentStreams } from '../services/checkout/payment-streams.ts';
import type { Deps, Log } from '../services/deps.ts';
import type { Mailer } from '../services/emails/mailer.ts';
import { LongPolls } from '../services/events/long-polls.ts';
import { type KeyUsage, keyUsage } from '../services/merchants/key-usage.ts';
import { bufferedRandom } from '../services/random.ts';
import { recordHeartbeat } from '../services/readiness.ts';
import { type DemoMerchant, demoMerchant } from '../services/sandbox/demo-merchant.ts';
import { UpstreamCalls } from '../services/upstream-calls.ts';
import { HostLookups } from '../services/webhooks/host-lookups.ts';
import { OutgoingCalls } from '../services/webhooks/outgoing-calls.ts';
import { readBuiltSite } from '../web/built-site.ts';
import { type Addresses, startListeners } from './listeners.ts';
import { sitePages } from './pages.ts';
import { openStores } from './stores.ts';
import { walletConnections } from './wallet.ts';

/** A running service. */
export interface Service extends Addresses {
  readonly deps: Deps;
  /** The sandbox's demo merchant; null in production and in the role `worker`. */
  readonly demo: DemoMerchant | null;
  /** Waits for requests and jobs in progress, releases leases, and stops everything that `startService` started. */
  stop(): Promise<void>;
}

/**
 * Wires the parts together and starts those that the role needs. If one of them fails to start, or `cancel` is aborted,
 * those that were started are stopped again. `overrides` are for tests.
 */
export async function startService(
  config: Config,
  log: Log,
  overrides: Partial<Deps> = {},
  cancel: AbortSignal = new AbortController().signal,
): Promise<Service> {
  // First, because it fails at once when the site is not built.
  const site = config.role === 'worker' ? null : readBuiltSite();
  const cleanUp = new AsyncDisposableStack();
  try {
    const retry = startRetries({
      onRetry: (reason) => log.warn({ reason }, 'the database is not available, retrying the start'),
      signal: cancel,
    });
    const stores = await openStores({ config, log, retry, cleanUp, cancel });
    const { gateway, acquirerSecret } = stores;
    const metrics = createMetrics();
    const outgoing = new OutgoingCalls({ allowPrivate: config.allowPrivateDestinations });
    cleanUp.defer(() => outgoing.close());
    // With PORT=0 the address is known once the service listens.
    let ownUrl = `http://${config.host}:${config.port}`;
    const checkoutBaseUrl = () => config.checkoutBaseUrl ?? ownUrl;
    const mailer = await openMailer(config, cleanUp);
    const wallet = walletConnections(config, gateway.sandboxWallet, cleanUp);
    const wired = {
      ...dependencies(config, log, stores, metrics),
      outgoing,
      mailer,
      wallet,
      checkoutBaseUrl,
    };
    const deps: Deps = { ...wired, ...overrides };
    const workerId = config.role === 'api' ? null : randomUUID();
    if (workerId !== null) await retry(() => recordHeartbeat(deps, workerId));

    let demo: DemoMerchant | null = null;
    const addPages = site === null ? () => {} : sitePages(site, config, deps, () => demo);
    const usage = keyUsage(deps.db);
    startJobs(deps, usage, workerId, cleanUp);
    const listenerOptions = { config, deps, metrics, usage, acquirerSecret, addPages };
    const addresses = await startListeners(listenerOptions, cleanUp);
    cleanUp.defer(() => deps.longPolls.stop());
    cleanUp.defer(() => deps.paymentStreams.stop());
    ownUrl = addresses.url ?? ownUrl;
    gateway.notifyAt(`${addresses.url ?? addresses.internalUrl}/gateway/notifications`);
    // Processes that start at the same time create one merchant.
    const showsDemo = config.environment === 'sandbox' && config.role !== 'worker';
    if (showsDemo) demo = await retry(() => demoMerchant(deps, config.dataDir));
    cancel.throwIfAborted();
    return { ...addresses, deps, demo, stop: () => cleanUp.disposeAsync() };
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

type Stores = Awaited<ReturnType<typeof openStores>>;

function dependencies(
  config: Config,
  log: Log,
  stores: Stores,
  metrics: Metrics,
): Omit<Deps, 'outgoing' | 'mailer' | 'wallet' | 'checkoutBaseUrl'> {
  const { db, vault, hash, gateway } = stores;
  const upstreamCalls = new UpstreamCalls();
  return {
    environment: config.environment,
    db,
    vault,
    hash,
    acquirer: upstreamCalls.trackAcquirer(gateway.acquirer),
    settlementFiles: gateway.settlementFiles,
    sandbox: gateway.sandbox,
    present: presenters,
    upstreamCalls,
    longPolls: new LongPolls(),
    paymentStreams: new PaymentStreams(),
    hostLookups: new HostLookups(),
    notificationUrls: NOTIFICATION_URLS,
    paymentListeners: PAYMENT_LISTENERS,
    mandateListeners: MANDATE_LISTENERS,
    cardUses: CARD_USES,
    allowPrivateDestinations: config.allowPrivateDestinations,
    log,
    wall: () => new Date(),
    random: bufferedRandom(),
    clockedWork: CLOCKED_WORK,
    merchantTables: MERCHANT_TABLES,
    countDiscrepancy: (labels) => metrics.discrepancies.inc(labels),
    countSettlementFile: (labels) => metrics.settlementFiles.inc(labels),
    setMerchantsBehind: (count) => metrics.merchantsBehind.set(count),
    countDeliveryAttempt: (labels) => metrics.deliveryAttempts.inc(labels),
    countRestoredQueue: () => metrics.restoredQueues.inc(),
    countRefusedCardTry: (labels) => metrics.refusedCardTries.inc(labels),
    setWebhookBacklog: ({ oldestDue_s, due, scheduled, events }) => {
      metrics.oldestDueDelivery_s.set(oldestDue_s);
      metrics.deliveriesPending.set({ state: 'due' }, due);
      metrics.deliveriesPending.set({ state: 'scheduled' }, scheduled);
      metrics.eventsPending.set(events);
    },
    reached: () => {},
  };
}

async function openMailer({ smtp }: Config, cleanUp: AsyncDisposableStack): Promise<Mailer | null> {
  if (smtp === null) return null;
  // Loaded only if it is needed, because it takes 5 MiB.
  const { smtpMailer } = await import('../services/emails/smtp-mailer.ts');
  const mailer = smtpMailer(smtp);
  cleanUp.defer(() => mailer.close());
  return mailer;
}

/** Starts the jobs that every process runs and, with a `workerId`, those of a worker. */
function startJobs(
  deps: Deps,
  usage: KeyUsage,
  workerId: string | null,
  cleanUp: AsyncDisposableStack,
): void {
  const workerJobs = workerId === null ? [] : backgroundJobs(deps);
  const jobs = [...workerJobs, ...housekeeping(deps, usage, workerId)].map((job) => startJob(job, deps.log));
  cleanUp.defer(async () => {
    await Promise.all(jobs.map((job) => job.stop()));
    await usage.flush().catch(() => {});
  });
}
