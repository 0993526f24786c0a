import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { memory_MiB, processorTime_ms, settle } from '../measure.ts';
import { median } from '../pace.ts';
import { NODE_FLAGS } from '../processes.ts';
import type { SendJob, Sent } from './bare-sender.ts';
import { addEvents, untilDelivered } from './events.ts';
import type { WebhookPace } from './pace.ts';
import { ENDPOINTS, SUBSCRIBED, type WebhookSetup } from './setup.ts';

/** Deliveries by a worker, from the commit of their events to the last arrival. */
export interface Delivered {
  readonly perSecond: number;
  /** Processor time of the worker, and of Postgres, for one delivery; null without /proc. */
  readonly processor_us: number | null;
  readonly postgres_us: number | null;
  /** The same of the receiver. */
  readonly sink_us: number | null;
  /** The most memory of the worker. */
  readonly memory_MiB: number | null;
}

/** Messages that the bare sender has sent. */
type BareSent = Sent & Pick<Delivered, 'sink_us'>;

export interface DeliverySpeed {
  readonly worker: Delivered;
  readonly bare: BareSent;
  /** Deliveries a second, worker over bare: the median of the rounds' own ratios. */
  readonly ratio: number;
  /** Processor time, worker over bare. */
  readonly processorRatio: number | null;
}

/** Measures a worker and the bare sender in turns. */
export async function deliverySpeed(setup: WebhookSetup, pace: WebhookPace): Promise<DeliverySpeed> {
  const body = await eventBody(setup);
  const rounds: { worker: Delivered; bare: BareSent }[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const bare = await sendBare(setup, {
      url: `${setup.sink.url}/hook`,
      body,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      count: pace.deliveries,
    });
    rounds.push({ worker: await deliverFrom(setup, pace.deliveries / ENDPOINTS), bare });
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  const known = (value: (round: (typeof rounds)[number]) => number | null) =>
    rounds.some((round) => value(round) === null) ? null : of((round) => value(round)!);
  const processor_us = known(({ worker }) => worker.processor_us);
  const bareProcessor_us = of(({ bare }) => bare.processor_us);
  return {
    worker: {
      perSecond: of(({ worker }) => worker.perSecond),
      processor_us,
      postgres_us: known(({ worker }) => worker.postgres_us),
      sink_us: known(({ worker }) => worker.sink_us),
      memory_MiB: known(({ worker }) => worker.memory_MiB),
    },
    bare: {
      perSecond: of(({ bare }) => bare.perSecond),
      processor_us: bareProcessor_us,
      sink_us: known(({ bare }) => bare.sink_us),
      memory_MiB: of(({ bare }) => bare.memory_MiB),
    },
    ratio: of(({ worker, bare }) => worker.perSecond / bare.perSecond),
    processorRatio: processor_us === null ? null : processor_us / bareProcessor_us,
  };
}

/** Starts a worker, adds events of the merchant with ten endpoints, and measures until all deliveries are recorded. */
export async function deliverFrom(setup: WebhookSetup, events: number): Promise<Delivered> {
  const worker = await setup.startWorker();
  try {
    await untilDelivered(setup);
    await settle(worker);
    await setup.sink.forget();
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, memory_MiB(worker) ?? 0);
    }, 100);
    const committed_at = await addEvents(setup, SUBSCRIBED, events);
    const before = {
      worker: processorTime_ms(worker),
      postgres: setup.postgresTime_ms(),
      sink: setup.sink.processorTime_ms(),
    };
    await untilDelivered(setup);
    clearInterval(look);
    const { hook, last_at } = await setup.sink.counts();
    const count = events * ENDPOINTS;
    if (hook !== count) throw new Error(`${hook} of ${count} deliveries arrived.`);
    const per = (from: number | null, to: number | null) => microseconds(from, to, count);
    return {
      perSecond: (count * 1_000) / (last_at - committed_at),
      processor_us: per(before.worker, processorTime_ms(worker)),
      postgres_us: per(before.postgres, setup.postgresTime_ms()),
      sink_us: per(before.sink, setup.sink.processorTime_ms()),
      memory_MiB: most === 0 ? null : most,
    };
  } finally {
    await worker.stop();
  }
}

/** Processor time of one delivery, between two times of a process. */
function microseconds(from_ms: number | null, to_ms: number | null, count: number): number | null {
  return from_ms === null || to_ms === null ? null : ((to_ms - from_ms) * 1_000) / count;
}

/** The body of a delivery of the events that are copied. */
async function eventBody({ pool, bench }: WebhookSetup): Promise<string> {
  const { rows } = await pool.query(
    'select * from events where merchant_id = $1 order by created_at desc limit 1',
    [bench.merchants[SUBSCRIBED]!.merchantId],
  );
  const { id, event, object_type, object_id, created_at, data } = rows[0];
  return JSON.stringify({ id, event, object_type, object_id, created_at, environment: 'sandbox', data });
}

async function sendBare({ sink }: WebhookSetup, job: SendJob): Promise<BareSent> {
  const before = sink.processorTime_ms();
  const child = fork(join(import.meta.dirname, 'bare-sender.ts'), { execArgv: NODE_FLAGS });
  try {
    const answer = once(child, 'message');
    child.send(job);
    const [sent] = await Promise.race([
      answer,
      once(child, 'exit').then(() => {
        throw new Error('The bare sender has ended.');
      }),
    ]);
    return { ...(sent as Sent), sink_us: microseconds(before, sink.processorTime_ms(), job.count) };
  } finally {
    child.kill();
  }
}
