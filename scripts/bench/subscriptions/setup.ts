import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { storeCards } from '../cards.ts';
import { Loader } from '../measure.ts';
import { type BenchMerchant, createMerchants, TestData } from '../merchants.ts';
import { type BenchEnvironment, createEnvironment, type MeasuredProcess } from '../processes.ts';
import { postgresClock } from '../webhooks/postgres-time.ts';
import { callApi } from '../webhooks/setup.ts';
import type { SubscriptionPace } from './pace.ts';
import { copyCustomers, type Template } from './rows.ts';

/** An acquirer with a database of its own, a service, workers that are paused, and merchants with stored cards. */
export interface SubscriptionSetup {
  readonly environment: BenchEnvironment;
  readonly service: MeasuredProcess;
  /** Two, which are paused. All parts but one use the first of them only. */
  readonly workers: readonly [MeasuredProcess, MeasuredProcess];
  readonly acquirer: MeasuredProcess;
  readonly loader: Loader;
  readonly pool: pg.Pool;
  readonly merchants: readonly BenchMerchant[];
  readonly customerIds: readonly string[];
  readonly template: Template;
  /** Processor time so far, milliseconds; null without /proc. */
  readonly postgresTime_ms: () => number | null;
  readonly acquirerPostgresTime_ms: () => number | null;
  tearDown(): Promise<void>;
}

const FOLDER = 'bench-subscriptions';
const POLL_MS = 50;

export async function setUpSubscriptions(pace: SubscriptionPace): Promise<SubscriptionSetup> {
  const environment = await createEnvironment(FOLDER);
  const dataDir = join(environment.env.DATA_DIR!, 'acquirer');
  mkdirSync(dataDir, { recursive: true });
  const books = await startEmbeddedPostgres({ dataDir });
  const acquirer = await environment.start('scripts/bench/acquirer.ts', {
    env: { DATABASE_URL: books.url, ANSWER_AFTER_MS: String(pace.answerAfter_ms) },
  });
  const start = (env: Readonly<Record<string, string>>) =>
    environment.start('main.ts', { env: { ACQUIRER_URL: acquirer.url, INTERNAL_PORT: '0', ...env } });
  const service = await start({ ROLE: 'api', PORT: '0' });
  const names = Array.from({ length: pace.merchants }, (_, i) => `Clube ${i + 1}`);
  const merchants = await createMerchants(environment, names);
  const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 2 });
  const booksPool = new pg.Pool({ connectionString: books.url, max: 1 });
  const customerIds = await fillCustomers(environment, merchants[0]!, pace.customers);
  const subscribed = await subscribe(service, merchants[0]!, customerIds);
  const others = merchants.slice(1).map(({ merchantId }) => merchantId);
  await copyCustomers(pool, subscribed, others);
  const startWorker = async () => {
    const worker = await start({ ROLE: 'worker' });
    process.kill(worker.pid, 'SIGSTOP');
    return worker;
  };
  const workers = [await startWorker(), await startWorker()] as const;
  const loader = new Loader();
  return {
    environment,
    service,
    workers,
    acquirer,
    loader,
    pool,
    merchants,
    customerIds,
    template: subscribed,
    postgresTime_ms: await postgresClock(pool),
    acquirerPostgresTime_ms: await postgresClock(booksPool),
    async tearDown() {
      for (const { pid } of workers) process.kill(pid, 'SIGCONT');
      await loader.stop();
      await Promise.all([pool.end(), booksPool.end()]);
      await environment.stop();
      await books.stop();
    },
  };
}

async function fillCustomers(
  { databaseUrl }: BenchEnvironment,
  merchant: BenchMerchant,
  count: number,
): Promise<string[]> {
  const testData = new TestData(databaseUrl);
  await testData.fill(merchant, 0, count);
  const customerIds = await testData.customerIds(merchant, count);
  await testData.close();
  return customerIds;
}

/** Stores a card for each customer, and creates the subscription that is copied. Its first cycle is paid. */
async function subscribe(
  service: MeasuredProcess,
  merchant: BenchMerchant,
  customerIds: readonly string[],
): Promise<Template> {
  const [card] = await storeCards(service, merchant, customerIds);
  return {
    merchantId: merchant.merchantId,
    subscriptionId: await createSubscription(service, merchant, card!),
  };
}

/** Creates a monthly subscription with a paid first cycle, and returns its id. */
export async function createSubscription(
  service: MeasuredProcess,
  merchant: BenchMerchant,
  card: { readonly id: string; readonly customerId: string },
): Promise<string> {
  const { id } = (await callApi(service, merchant, '/charges/subscriptions', {
    code: randomUUID(),
    mcc: '5734',
    interval: 'monthly',
    customer: { id: card.customerId },
    payment: { payment_method: 'credit_card', amount: 4990, credit_card: { id: card.id } },
  })) as { id: string };
  for (;;) {
    const read = (await callApi(service, merchant, `/subscriptions/${id}`)) as { status: string };
    if (read.status === 'active') return id;
    await wait(POLL_MS);
  }
}
