import { httpSandboxControl } from '../../../gateway/http-sandbox-control.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { answers } from '../../support/db/embedded-postgres.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';
import { assertAllAgree, settle } from './audit.ts';
import { assertEventsReceived, assertLinksAgree, assertReceipts } from './audit-links.ts';
import { Client, type PreparedShop, prepareShop } from './client.ts';
import { Journal } from './journal.ts';
import { System, type Victim } from './system.ts';

export interface ChaosOptions {
  readonly kills: number;
  readonly seed: number;
  /** Called after each kill. */
  readonly onKill?: (done: number, victim: Victim) => void;
}

export interface ChaosReport {
  readonly kills: ReadonlyMap<Victim, number>;
  readonly requests: number;
  /** How many requests got each status; `none`: the connection broke. */
  readonly answers: ReadonlyMap<number | 'none', number>;
  /** How many payments have each status at the end. */
  readonly payments: ReadonlyMap<string, number>;
  /** How often the processes have logged each error. */
  readonly errors: ReadonlyMap<string, number>;
}

const MERCHANTS = 3;
const CLIENTS_PER_MERCHANT = 2;
const NO_RATE_LIMIT = 1_000_000;
/** The service answers again this long after a kill, on a busy machine too. */
const RECOVERY_LIMIT_MS = 60_000;
/** The cheaper a restart is, the more often it is a victim. */
const WEIGHTED_VICTIMS: readonly Victim[] = [
  'api',
  'api',
  'api',
  'worker',
  'worker',
  'acquirer',
  'acquirer',
  'acquirer',
  'postgres',
  'backend',
  'backend',
  ...Array.from({ length: 7 }, () => 'connection' as const),
];

/**
 * Kills processes and connections at random while several clients pay, sell by links, capture, cancel, refund and
 * dispute. Then compares the acquirer's records, the database, the ledger, receipts, webhooks, and the answers that the
 * clients got. Throws where they differ.
 */
export async function runChaos({ kills, seed, onKill = () => {} }: ChaosOptions): Promise<ChaosReport> {
  const startedAt = new Date();
  const prepared: PreparedShop[] = [];
  await using receiver = await Receiver.start();
  await using system = await System.start(async (home, env) => {
    // The process of the acquirer has not started. Domains of wallets are verified at the one in this process.
    const local = { ...env, ACQUIRER_URL: '', ACQUIRER_SECRET: '' };
    await using service = await startTestService({ home, env: local, jobs: false });
    for (let i = 0; i < MERCHANTS; i++) {
      const shop = await prepareShop(service, receiver.url);
      await changeMerchant(service.deps, shop.shop.account, { rateLimitPerMinute: NO_RATE_LIMIT });
      prepared.push(shop);
    }
  });
  const { home, env } = system;
  const control = httpSandboxControl({ url: env.ACQUIRER_URL!, secret: env.ACQUIRER_SECRET! });
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => control.close());

  const journal = new Journal(system.url);
  const clients = prepared.flatMap((shop, i) =>
    Array.from({ length: CLIENTS_PER_MERCHANT }, (_, j) => {
      const random = new SeededRandom(seed + 1 + i * CLIENTS_PER_MERCHANT + j);
      return new Client(shop, journal, control, home.databaseUrl, random).run();
    }),
  );
  const killed = await Promise.race([
    killAtRandom(system, journal, { kills, seed, onKill }),
    Promise.all(clients).then(() => Promise.reject(new Error('the clients have ended early'))),
  ]).finally(() => journal.end());
  await Promise.all(clients);

  await system.stopService();
  await until('the database answers', () => answers(home.databaseUrl), RECOVERY_LIMIT_MS);
  await using service = await startTestService({ home, env, jobs: false });
  const shops = prepared.map(({ shop }) => new Shop(service, shop.onboarded));
  await settle(service, control, journal, shops);
  await assertAllAgree(service, journal, shops, startedAt);
  for (const shop of shops) {
    await assertLinksAgree(service, shop, journal);
    await assertReceipts(service, shop);
    await assertEventsReceived(service, shop, receiver);
  }
  const statuses = await service.rows<{ status: string; count: number }>(
    'select status, count(*) as count from payments group by status order by status',
  );
  return {
    kills: killed,
    requests: journal.entries.length,
    answers: journal.answers,
    payments: new Map(statuses.map(({ status, count }) => [status, count])),
    errors: system.errors(),
  };
}

/** Kills so many times. Usually the clients get some answers in between; sometimes one kill follows another at once. */
async function killAtRandom(
  system: System,
  journal: Journal,
  { kills, seed, onKill }: Required<ChaosOptions>,
): Promise<ReadonlyMap<Victim, number>> {
  const random = new SeededRandom(seed);
  const killed = new Map<Victim, number>();
  for (let done = 0; done < kills; ) {
    if (!random.oneIn(5)) {
      const wanted = journal.final + random.integer(1, 6);
      await until('clients get answers again', () => journal.final >= wanted, RECOVERY_LIMIT_MS);
    }
    const victim = random.pick(WEIGHTED_VICTIMS);
    if (!(await system.kill(victim, random.integer(0, 100)))) continue;
    done += 1;
    killed.set(victim, (killed.get(victim) ?? 0) + 1);
    onKill(done, victim);
  }
  const wanted = journal.final + 20;
  await until('clients get answers again', () => journal.final >= wanted, RECOVERY_LIMIT_MS);
  return killed;
}
