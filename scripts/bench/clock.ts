import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { storeCards } from './cards.ts';
import { processorTime_ms } from './measure.ts';
import { type BenchMerchant, createMerchants } from './merchants.ts';
import { median } from './pace.ts';
import type { BenchEnvironment, MeasuredProcess } from './processes.ts';
import { table, whole } from './tables.ts';
import { postgresClock } from './webhooks/postgres-time.ts';
import { callApi } from './webhooks/setup.ts';

export interface ClockPace {
  /** How far the clock is moved. */
  readonly days: number;
  /** How often it is moved for each case, each time with the subscriptions of a new merchant. */
  readonly times: number;
  /** Subscriptions of one merchant, for each case. */
  readonly byCard: number;
  readonly byPixRecurring: number;
}

export const FULL: ClockPace = { days: 365, times: 5, byCard: 200, byPixRecurring: 50 };
/** A quick trial of the whole program. Its figures mean nothing. */
export const REHEARSAL: ClockPace = { days: 35, times: 1, byCard: 2, byPixRecurring: 2 };

/** How long one move of the clock took, and what happened in it. */
export interface ClockMove {
  readonly method: 'card' | 'Pix recurring';
  readonly subscriptions: number;
  readonly days: number;
  readonly wall_s: number;
  /** Cycles that were paid. */
  readonly charges: number;
  readonly steps: number;
  /** Different times at which steps ran. */
  readonly instants: number;
  /** Processor time; null without /proc. */
  readonly service_s: number | null;
  readonly postgres_s: number | null;
}

/** The first charges are spread over so many days. */
const START_DAYS = 30;
const POLL_MS = 20;
/** The CPF of a payer who authorizes each mandate. */
const PAYER_CPF = '99990000107';

/** Measures moves of the clock in a sandbox as `make start` runs it, each with the subscriptions of a new merchant. */
export async function measureClock(environment: BenchEnvironment, pace: ClockPace): Promise<ClockMove[]> {
  const service = await environment.start('main.ts', { env: { PORT: '0', INTERNAL_PORT: '0' } });
  const merchants = (name: string) =>
    createMerchants(
      environment,
      Array.from({ length: pace.times }, (_, i) => `${name} ${i + 1}`),
    );
  const pool = new pg.Pool({ connectionString: environment.databaseUrl, max: 1 });
  const setup: ClockSetup = { service, pool, days: pace.days, postgresTime_ms: await postgresClock(pool) };
  try {
    const moves: ClockMove[] = [];
    for (const merchant of await merchants('Clube')) {
      await subscribeByCard(service, merchant, pace.byCard);
      moves.push(await moveClock(setup, merchant, 'card', pace.byCard));
    }
    for (const merchant of await merchants('Academia')) {
      await subscribeByPixRecurring(service, merchant, pace.byPixRecurring);
      moves.push(await moveClock(setup, merchant, 'Pix recurring', pace.byPixRecurring));
    }
    return moves;
  } finally {
    await pool.end();
  }
}

interface ClockSetup {
  readonly service: MeasuredProcess;
  readonly pool: pg.Pool;
  readonly days: number;
  postgresTime_ms(): number | null;
}

async function newCustomers(
  service: MeasuredProcess,
  merchant: BenchMerchant,
  count: number,
  documents: readonly object[] = [],
): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { name: 'Ana Souza', email: `ana-${n}@example.com`, documents };
    ids.push(((await callApi(service, merchant, '/customers', body)) as { id: string }).id);
  }
  return ids;
}

/** What all subscriptions have. The trial spreads their first charges. */
const subscriptionBody = (n: number, customerId: string, payment: object) => ({
  code: `bench-${n}`,
  mcc: '5734',
  interval: 'monthly',
  trial_days: 1 + (n % START_DAYS),
  customer: { id: customerId },
  payment: { amount: 4_990, ...payment },
});

async function subscribeByCard(
  service: MeasuredProcess,
  merchant: BenchMerchant,
  count: number,
): Promise<void> {
  const cards = await storeCards(service, merchant, await newCustomers(service, merchant, count));
  for (const [n, { id, customerId }] of cards.entries()) {
    const payment = { payment_method: 'credit_card', credit_card: { id } };
    await callApi(service, merchant, '/charges/subscriptions', subscriptionBody(n, customerId, payment));
  }
}

async function subscribeByPixRecurring(
  service: MeasuredProcess,
  merchant: BenchMerchant,
  count: number,
): Promise<void> {
  const customers = await newCustomers(service, merchant, count, [{ type: 'cpf', value: PAYER_CPF }]);
  for (const [n, customerId] of customers.entries()) {
    const payment = { payment_method: 'pix_recurring' };
    await callApi(service, merchant, '/charges/subscriptions', subscriptionBody(n, customerId, payment));
  }
}

async function moveClock(
  setup: ClockSetup,
  merchant: BenchMerchant,
  method: ClockMove['method'],
  subscriptions: number,
): Promise<ClockMove> {
  const { service, days } = setup;
  const [service_ms, postgres_ms] = [processorTime_ms(service), setup.postgresTime_ms()];
  const began = performance.now();
  await callApi(service, merchant, '/sandbox/clock/advance', { days });
  while (await isAdvancing(service, merchant)) await pause(POLL_MS);
  const wall_s = (performance.now() - began) / 1_000;
  return {
    method,
    subscriptions,
    days,
    wall_s,
    ...(await whatRan(setup, merchant)),
    service_s: secondsSince(service_ms, processorTime_ms(service)),
    postgres_s: secondsSince(postgres_ms, setup.postgresTime_ms()),
  };
}

async function isAdvancing(service: MeasuredProcess, merchant: BenchMerchant): Promise<boolean> {
  const clock = (await callApi(service, merchant, '/sandbox/clock')) as { status: string };
  return clock.status === 'advancing';
}

async function whatRan({ pool }: ClockSetup, { merchantId }: BenchMerchant) {
  const { rows } = await pool.query<Pick<ClockMove, 'charges' | 'steps' | 'instants'>>(
    `select (select sum(paid_cycles)::int from subscriptions where merchant_id = $1) as charges,
       count(*)::int as steps, count(distinct at)::int as instants from clock_steps where merchant_id = $1`,
    [merchantId],
  );
  return rows[0]!;
}

function secondsSince(before_ms: number | null, now_ms: number | null): number | null {
  return before_ms === null || now_ms === null ? null : (now_ms - before_ms) / 1_000;
}

const seconds = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)} s`);

/** The results as a table of Markdown: the median of the moves of each case, and the time of each move. */
export function clockTable(moves: readonly ClockMove[]): string {
  const head = [
    ...['Subscriptions', 'Days', 'Time', 'Each time, in s', 'Charges', 'Steps', 'Instants'],
    ...['Processor time of the service', 'for each charge', 'Of Postgres', 'for each charge'],
  ];
  const cases = Map.groupBy(moves, ({ method, subscriptions }) => `${whole(subscriptions)} by ${method}`);
  return table(
    head,
    [...cases].map(([name, each]) => row(name, each)),
  );
}

function row(name: string, moves: readonly ClockMove[]): (string | number)[] {
  const middle = (value: (move: ClockMove) => number | null) => {
    const known = moves.map(value).filter((each) => each !== null);
    return known.length === 0 ? null : median(known);
  };
  const processorTime = (of: (move: ClockMove) => number | null) => {
    const perCharge_s = middle((move) => (of(move) === null ? null : of(move)! / move.charges));
    return [seconds(middle(of)), perCharge_s === null ? '–' : `${(perCharge_s * 1_000).toFixed(1)} ms`];
  };
  return [
    ...[name, moves[0]!.days, `**${seconds(middle(({ wall_s }) => wall_s))}**`],
    moves.map(({ wall_s }) => wall_s.toFixed(1)).join(', '),
    ...[
      ({ charges }: ClockMove) => charges,
      ({ steps }: ClockMove) => steps,
      ({ instants }: ClockMove) => instants,
    ].map((count) => whole(middle(count)!)),
    ...processorTime(({ service_s }) => service_s),
    ...processorTime(({ postgres_s }) => postgres_s),
  ];
}
