import pg from 'pg';
import { openDatabase } from '../../../db/engine/database.ts';
import { openVault, type Vault } from '../../../services/vault/vault.ts';
import { Loader, processorTime_ms } from '../measure.ts';
import type { BenchMerchant } from '../merchants.ts';
import type { MeasuredProcess } from '../processes.ts';
import { type BenchSetup, setUpBench } from '../setup.ts';
import type { WebhookPace } from './pace.ts';
import { postgresClock } from './postgres-time.ts';
import type { Counts } from './sink.ts';

/** A service, a receiver, and the first merchants: `plain` has no endpoint, the others have ten each. */
export interface WebhookSetup {
  readonly bench: BenchSetup;
  readonly loader: Loader;
  readonly pool: pg.Pool;
  readonly sink: Sink;
  /** Seals secrets as the service does. */
  readonly vault: Vault;
  startWorker(): Promise<MeasuredProcess>;
  /** Processor time of Postgres so far, milliseconds; null without /proc. */
  postgresTime_ms(): number | null;
  tearDown(): Promise<void>;
}

/** Places of the merchants in `bench.merchants`. */
export const PLAIN = 0;
export const SUBSCRIBED = 1;
export const TIMED = 2;

export const ENDPOINTS = 10;

export async function setUpWebhooks({ payments, cards, keepsWorker }: WebhookPace): Promise<WebhookSetup> {
  const bench = await setUpBench({ cards, otherRows: payments }, 'bench-webhooks');
  await bench.fillTo(payments);
  const sink = new Sink(await bench.environment.start('scripts/bench/webhooks/sink.ts'));
  for (let i = 0; i < ENDPOINTS; i += 1) await addEndpoint(bench, SUBSCRIBED, `${sink.url}/hook`);
  await addEndpoint(bench, TIMED, `${sink.url}/timed`);
  for (const merchant of [SUBSCRIBED, TIMED]) await placeOrder(bench, merchant);
  const pool = new pg.Pool({ connectionString: bench.environment.databaseUrl, max: 2 });
  const db = openDatabase({ url: bench.environment.databaseUrl, maxConnections: 1 });
  const vault = await openVault(db, [Buffer.from(bench.environment.env.VAULT_KEYS!, 'base64')]);
  const loader = new Loader();
  return {
    bench,
    loader,
    pool,
    sink,
    vault,
    startWorker: keepsWorker ? oneWorker(bench) : bench.startWorker,
    postgresTime_ms: await postgresClock(pool),
    async tearDown() {
      await pool.end();
      await db.close();
      await loader.stop();
      await bench.tearDown();
    },
  };
}

/** Starts a worker at the first call only. It ends with the bench. */
function oneWorker({ startWorker }: BenchSetup): WebhookSetup['startWorker'] {
  let worker: Promise<MeasuredProcess> | undefined;
  return async () => {
    worker ??= startWorker();
    return { ...(await worker), stop: async () => {} };
  };
}

async function addEndpoint(bench: BenchSetup, merchant: number, url: string): Promise<void> {
  await callApi(bench.service, bench.merchants[merchant]!, '/webhook-endpoints', { url, events: ['*'] });
}

/** Places an order, so that the merchant has events to copy. */
async function placeOrder(bench: BenchSetup, merchant: number): Promise<void> {
  await callApi(bench.service, bench.merchants[merchant]!, '/charges/orders', {
    code: `bench-${merchant}-${Date.now()}`,
    mcc: '5734',
    items: [{ name: 'Caneca', quantity: 1, amount: 4990 }],
    customer: { id: bench.customerIds[merchant]![0] },
    payment: { payment_method: 'pix', amount: 4990 },
  });
}

/** A request that must succeed. Returns the body of the answer. */
export async function callApi(
  { url }: MeasuredProcess,
  { apiKey }: BenchMerchant,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** The process that receives deliveries. */
class Sink {
  readonly url: string;
  readonly #process: MeasuredProcess;

  constructor(process: MeasuredProcess) {
    this.url = process.url;
    this.#process = process;
  }

  /** Processor time so far, milliseconds; null without /proc. */
  processorTime_ms(): number | null {
    return processorTime_ms(this.#process);
  }

  async counts(): Promise<Counts> {
    return (await (await fetch(`${this.url}/counts`)).json()) as Counts;
  }

  /** Sets all counts to 0. */
  async forget(): Promise<void> {
    await fetch(`${this.url}/forget`, { method: 'POST' });
  }
}
