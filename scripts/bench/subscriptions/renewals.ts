import { setTimeout as wait } from 'node:timers/promises';
import { memory_MiB, processorTime_ms } from '../measure.ts';
import { median } from '../pace.ts';
import type { MeasuredProcess } from '../processes.ts';
import type { Tally } from '../scenarios.ts';
import type { SubscriptionPace } from './pace.ts';
import { addSubscriptions, lastChargeDay, type NewRows } from './rows.ts';
import type { SubscriptionSetup } from './setup.ts';

/** The cost of due cycles, from the moment at which a worker may begin until the last one is charged. */
export interface Renewals {
  readonly due: number;
  readonly took_s: number;
  /** Processor time for one cycle, of all workers; null without /proc. The acquirer's includes its database. */
  readonly worker_us: number | null;
  readonly postgres_us: number | null;
  readonly acquirer_us: number | null;
  /** Commits for one cycle, those of other work of the worker included. */
  readonly commits: number;
  /** The most memory of a worker. */
  readonly memory_MiB: number | null;
}

export interface ReadLatency {
  readonly p50_ms: number;
  /** The p99 of all reads, and the highest of one load. */
  readonly p99_ms: number;
  readonly highestP99_ms: number;
}

/** Cycles that fall due at the same time, and what reads of the API took meanwhile. */
export interface RenewalDay {
  readonly renewals: Renewals;
  readonly reads: ReadLatency;
}

const POLL_MS = 200;

let batches = 0;

/** Measures `count` due cycles of all merchants, while the API is read. */
export async function renewalDay(
  setup: SubscriptionSetup,
  pace: SubscriptionPace,
  count: number,
): Promise<RenewalDay> {
  const reading = new AbortController();
  let reads: Promise<ReadLatency> | undefined;
  const onBegin = () => {
    reads = readUntil(reading.signal, setup, pace);
  };
  const renewals = await renew(setup, pace, { count, hasHistory: true, onBegin });
  reading.abort();
  return { renewals, reads: await reads! };
}

interface DueCycles extends Pick<NewRows, 'count' | 'hasHistory'> {
  /** Default: all of them. */
  readonly merchantIds?: readonly string[];
  /** Default: the first one. */
  readonly workers?: readonly MeasuredProcess[];
  readonly onBegin?: () => void;
}

/** Adds due cycles while the workers are paused, lets some charge them, and pauses these again. */
export async function renew(
  setup: SubscriptionSetup,
  pace: SubscriptionPace,
  { count, hasHistory, merchantIds = idsOf(setup), workers = [setup.workers[0]], onBegin }: DueCycles,
): Promise<Renewals> {
  const { pool, template } = setup;
  batches += 1;
  const name = `renewal-${batches}`;
  await addSubscriptions(pool, template, { merchantIds, count, dueOn: lastChargeDay(), name, hasHistory });
  await pool.query('vacuum analyze');
  await pool.query('checkpoint');
  await wait(pace.statistics_ms);
  const before = await readCounters(setup);
  const began = performance.now();
  onBegin?.();
  for (const { pid } of workers) process.kill(pid, 'SIGCONT');
  const memory = await untilCharged(setup, workers);
  const took_s = (performance.now() - began) / 1000;
  const used = timesOf(setup);
  await wait(pace.statistics_ms);
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP');
  const { commits } = await readCounters(setup);
  const due = await assertChargedOnce(setup, name);
  const each_us = (kind: keyof Times) =>
    used[kind] === null ? null : ((used[kind] - before.times[kind]!) * 1000) / due;
  return {
    due,
    took_s,
    worker_us: each_us('worker'),
    postgres_us: each_us('postgres'),
    acquirer_us: each_us('acquirer'),
    commits: (commits - before.commits) / due,
    memory_MiB: memory,
  };
}

const idsOf = ({ merchants }: SubscriptionSetup) => merchants.map(({ merchantId }) => merchantId);

/** The medians of several runs. Each number has its own. */
export function medianRenewals(runs: readonly Renewals[]): Renewals {
  const of = (key: keyof Renewals) => median(runs.map((run) => run[key] ?? Number.NaN));
  const ofKnown = (key: keyof Renewals) => (runs.some((run) => run[key] === null) ? null : of(key));
  return {
    due: of('due'),
    took_s: of('took_s'),
    worker_us: ofKnown('worker_us'),
    postgres_us: ofKnown('postgres_us'),
    acquirer_us: ofKnown('acquirer_us'),
    commits: of('commits'),
    memory_MiB: ofKnown('memory_MiB'),
  };
}

interface Times {
  readonly worker: number | null;
  readonly postgres: number | null;
  readonly acquirer: number | null;
}

function timesOf(setup: SubscriptionSetup): Times {
  const acquirer = processorTime_ms(setup.acquirer);
  return {
    worker: sumOf(setup.workers.map(processorTime_ms)),
    postgres: setup.postgresTime_ms(),
    acquirer: acquirer === null ? null : acquirer + setup.acquirerPostgresTime_ms()!,
  };
}

const sumOf = (times: readonly (number | null)[]): number | null =>
  times.reduce((sum, time) => (sum === null || time === null ? null : sum + time), 0);

async function readCounters(setup: SubscriptionSetup): Promise<{ times: Times; commits: number }> {
  const { rows } = await setup.pool.query(
    'select cast(xact_commit as float8) as commits from pg_stat_database where datname = current_database()',
  );
  return { times: timesOf(setup), commits: rows[0].commits };
}

/**
 * Resolves when every cycle is charged. Returns the maximum memory of a worker. It asks by indexes
 * only: reading all payments would take processor time from what is measured.
 */
async function untilCharged(
  { pool }: SubscriptionSetup,
  workers: readonly MeasuredProcess[],
): Promise<number | null> {
  let most: number | null = null;
  for (;;) {
    for (const memory of workers.map(memory_MiB)) {
      if (memory !== null) most = Math.max(most ?? 0, memory);
    }
    const { rows } = await pool.query(
      `select coalesce((select min(due_at) from subscriptions where due_at is not null) <= now(), false)
           or exists (select from payment_operations where state = 'pending') as is_open`,
    );
    if (!rows[0].is_open) return most;
    await wait(POLL_MS);
  }
}

/** Returns how many subscriptions there are. Throws unless each has paid its second cycle by one payment. */
async function assertChargedOnce({ pool }: SubscriptionSetup, name: string): Promise<number> {
  const { rows } = await pool.query(
    `select cast(count(*) as integer) as total,
            cast(count(*) filter (where s.paid_cycles = 2 and (
              select count(*) from payments p where p.slot = s.slot and p.merchant_id = s.merchant_id
                and p.subscription_id = s.id and p.cycle = 2 and p.captured_centavos > 0) = 1) as integer) as charged
       from subscriptions s where s.code like $1`,
    [`${name}-%`],
  );
  const { total, charged } = rows[0];
  if (total === 0 || total !== charged) throw new Error(`${charged} of ${total} cycles were charged once.`);
  return total;
}

/** Reads payments and customers in turns. */
async function readUntil(
  ended: AbortSignal,
  { service, loader, merchants, customerIds }: SubscriptionSetup,
  { reads_per_s, reads_s }: SubscriptionPace,
): Promise<ReadLatency> {
  const tallies: Tally[] = [];
  for (let turn = 0; tallies.length < 2 || !ended.aborted; turn += 1) {
    const tally = await loader.run({
      origin: service.url,
      scenario: turn % 2 === 0 ? 'listPayments' : 'getCustomer',
      keys: [merchants[0]!.apiKey],
      customerIds: [customerIds],
      cards: [],
      connections: 8,
      rate: reads_per_s,
      warmUp_s: 0,
      seconds: reads_s,
      listsLatencies: true,
    });
    if (tally.failed > 0) throw new Error(`${tally.failed} reads failed.`);
    tallies.push(tally);
  }
  const sorted = tallies.flatMap(({ latencies_ms }) => latencies_ms!).sort((a, b) => a - b);
  return {
    p50_ms: median(sorted),
    p99_ms: sorted[Math.floor(sorted.length * 0.99)]!,
    highestP99_ms: Math.max(...tallies.map(({ p99_ms }) => p99_ms)),
  };
}
