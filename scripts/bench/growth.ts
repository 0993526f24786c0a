import { assertExpected, jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import type { Loader } from './measure.ts';
import { median } from './pace.ts';
import type { Job, Scenario } from './scenarios.ts';

/** Requests a second of the service with so many payments. */
export interface Growth {
  readonly scenario: Scenario;
  readonly rows: number;
  readonly perSecond: number;
}

const CONNECTIONS = 8;

export async function growthAt(
  bench: BenchContext,
  scenarios: readonly Scenario[],
  rows: number,
): Promise<Growth[]> {
  const { setup, loader, pace } = bench;
  const growth: Growth[] = [];
  for (const scenario of scenarios) {
    const job = { ...jobOf(bench, scenario, setup.service), connections: CONNECTIONS };
    // Reads the rows, which were just written to disk, into the cache.
    await loader.run(job);
    const perSecond: number[] = [];
    for (let round = 0; round < pace.rounds; round += 1) perSecond.push(await rate(loader, job));
    growth.push({ scenario, rows, perSecond: median(perSecond) });
  }
  return growth;
}

/** Requests a second for a page far down the list over those for the first page: the median of the rounds' ratios. */
export async function depthRatio(bench: BenchContext): Promise<number> {
  const { setup, loader, pace } = bench;
  const cursor = await setup.testData.cursorAfter(setup.merchants[0]!, pace.depth);
  const first = { ...jobOf(bench, 'listPayments', setup.service), connections: CONNECTIONS };
  const deep = { ...first, cursor };
  // Only the first page has been requested so far.
  for (const job of [deep, first]) await loader.run({ ...job, seconds: pace.heat_s });
  const ratios: number[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const [one, other] = round % 2 === 0 ? [deep, first] : [first, deep];
    const [ofOne, ofOther] = [await rate(loader, one), await rate(loader, other)];
    ratios.push(one === deep ? ofOne / ofOther : ofOther / ofOne);
  }
  return median(ratios);
}

async function rate(loader: Loader, job: Job): Promise<number> {
  const tally = await loader.run(job);
  assertExpected(tally, job);
  return tally.accepted_per_s;
}
