import { assertExpected, jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import { Loader } from './measure.ts';
import { median } from './pace.ts';
import type { Tally } from './scenarios.ts';

/** Connections of a greedy merchant. Each waits for its answer: more than the requests of one tenant that can run. */
export const GREEDY_CONNECTIONS = 128;
/** Requests a second of the modest merchant. */
export const MODEST_PER_S = 20;
const MODEST_CONNECTIONS = 20;
/** Until the queue of the greedy merchants is full, seconds. */
const FULL_QUEUE_S = 1;

/** What a modest merchant gets while others send as much as they can: medians of the rounds. */
export interface ModestShare {
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Refused requests, divided by all. */
  readonly refused: number;
}

/**
 * With `apart`, the modest merchant is a tenant of its own. With `together`, its requests carry a greedy merchant's
 * key.
 */
export interface Fairness {
  readonly greedy: number;
  readonly apart: ModestShare;
  readonly together: ModestShare;
}

/**
 * Measures a modest merchant beside one greedy merchant, and beside two. Requests with the key of a greedy merchant are
 * the control: they take the place in the queue that a modest merchant would have if all merchants were one tenant.
 */
export async function fairness(bench: BenchContext): Promise<Fairness[]> {
  const second = new Loader();
  const third = new Loader();
  try {
    const results: Fairness[] = [];
    for (const greedy of [[second], [second, third]]) {
      results.push({
        greedy: greedy.length,
        apart: await modestShare(bench, { greedy, merchant: 0 }),
        together: await modestShare(bench, { greedy, merchant: 1 }),
      });
    }
    return results;
  } finally {
    await Promise.all([second.stop(), third.stop()]);
  }
}

/** The greedy merchants are the second one, and the third. `merchant` is the index of the one whose key is modest. */
interface Load {
  readonly greedy: readonly Loader[];
  readonly merchant: number;
}

async function modestShare(bench: BenchContext, { greedy, merchant }: Load): Promise<ModestShare> {
  const { setup, loader: modest, pace } = bench;
  const job = (index: number) => ({
    ...jobOf(bench, 'listPayments', setup.service),
    keys: [setup.merchants[index]!.apiKey],
  });
  const modestJob = { ...job(merchant), connections: MODEST_CONNECTIONS, rate: MODEST_PER_S };
  const shares: ModestShare[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const greedyJobs = greedy.map((loader, index) =>
      loader.run({
        ...job(1 + index),
        connections: GREEDY_CONNECTIONS,
        seconds: modestJob.warmUp_s + modestJob.seconds + FULL_QUEUE_S,
      }),
    );
    const tally = await modest.run({ ...modestJob, warmUp_s: modestJob.warmUp_s + FULL_QUEUE_S });
    assertExpected(tally, modestJob);
    await Promise.all(greedyJobs);
    shares.push(shareOf(tally));
  }
  const middle = (value: (share: ModestShare) => number) => median(shares.map(value));
  return {
    p50_ms: middle(({ p50_ms }) => p50_ms),
    p99_ms: middle(({ p99_ms }) => p99_ms),
    refused: middle(({ refused }) => refused),
  };
}

function shareOf({ accepted_per_s, refused_per_s, p50_ms, p99_ms }: Tally): ModestShare {
  return { p50_ms, p99_ms, refused: refused_per_s / (accepted_per_s + refused_per_s) };
}
