/**
 * The load generator: a process of its own that gets one job after another by messages, and answers each with its
 * result.
 */
import { createHistogram } from 'node:perf_hooks';
import { Connection } from './connection.ts';
import { type Job, SCENARIOS, type Tally } from './scenarios.ts';

const NS_PER_MS = 1e6;

/** Records latencies after the warm-up. */
class Record {
  readonly accepted = createHistogram();
  readonly refused = createHistogram();
  readonly latencies_ms: number[] = [];
  failed = 0;
  readonly #from: number;
  readonly #until: number;

  constructor(from: number, until: number) {
    this.#from = from;
    this.#until = until;
  }

  take(status: number, began: number, ended: number, expected: number): void {
    if (ended < this.#from || ended > this.#until) return;
    if (status === expected) {
      this.accepted.record(ns(ended - began));
      this.latencies_ms.push(ended - began);
    } else if (status === 503) this.refused.record(ns(ended - began));
    else this.failed += 1;
  }
}

function ns(duration_ms: number): number {
  return Math.max(1, Math.round(duration_ms * NS_PER_MS));
}

async function run(job: Job): Promise<Tally> {
  const connections = Array.from({ length: job.connections }, () => new Connection(job.origin));
  const from = performance.now() + job.warmUp_s * 1000;
  const until = from + job.seconds * 1000;
  const record = new Record(from, until);
  const next = SCENARIOS[job.scenario](job);
  const ask = async (connection: Connection, began = performance.now()) => {
    const request = next();
    const status = await connection.ask({ ...request, key: job.keys[request.turn % job.keys.length]! });
    record.take(status, began, performance.now(), request.expected);
  };
  if (job.rate === null) await Promise.all(connections.map((connection) => askUntil(until, connection, ask)));
  else await askAtRate(job, until, connections, ask);
  for (const connection of connections) connection.close();
  const { accepted, refused, failed } = record;
  const refusedWithin_ms = (percent: number) =>
    refused.count === 0 ? 0 : refused.percentile(percent) / NS_PER_MS;
  return {
    accepted_per_s: accepted.count / job.seconds,
    refused_per_s: refused.count / job.seconds,
    failed,
    p50_ms: accepted.percentile(50) / NS_PER_MS,
    p99_ms: accepted.percentile(99) / NS_PER_MS,
    ...(job.listsLatencies === true && { latencies_ms: record.latencies_ms }),
    refused_p50_ms: refusedWithin_ms(50),
    refused_p99_ms: refusedWithin_ms(99),
  };
}

/** Closed loop: each connection sends its next request after the answer. */
async function askUntil(
  until: number,
  connection: Connection,
  ask: (connection: Connection) => Promise<void>,
): Promise<void> {
  while (connection.isOpen && performance.now() < until) await ask(connection);
}

/**
 * Open loop: requests are sent at a fixed rate, also while others are unanswered. A request that finds every connection
 * in use waits, and its latency counts from the time at which it should have been sent.
 */
function askAtRate(
  { rate, origin }: Pick<Job, 'rate' | 'origin'>,
  until: number,
  connections: Connection[],
  ask: (connection: Connection, began: number) => Promise<void>,
): Promise<void> {
  const idle = [...connections];
  const waiting: number[] = [];
  const gap_ms = 1000 / rate!;
  let due = performance.now();
  const send = (connection: Connection, began: number): void => {
    ask(connection, began).finally(() => {
      if (!connection.isOpen) return;
      const earlier = waiting.shift();
      if (earlier === undefined) idle.push(connection);
      else send(connection, earlier);
    });
  };
  // A server closes a connection that has sent nothing for some time.
  const reopened = (): Connection => {
    const connection = new Connection(origin);
    connections.push(connection);
    return connection;
  };
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      if (now > until) {
        clearInterval(timer);
        waiting.length = 0;
        resolve();
        return;
      }
      for (; due <= now; due += gap_ms) {
        const connection = idle.pop();
        if (connection === undefined) waiting.push(due);
        else send(connection.isOpen ? connection : reopened(), due);
      }
    }, 1);
  });
}

process.on('message', async (job: Job) => {
  process.send!(await run(job));
});
