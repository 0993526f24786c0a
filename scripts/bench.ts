/**
 * Measures the service against the same operations written by hand, side by side in one run, and writes the results to
 * scripts/bench/: a page and a picture.
 *
 * Usage: make bench                 about an hour, on an idle machine
 *        make bench REHEARSE=yes    a minute, to see that it runs. Its figures mean nothing and are only printed
 *        node scripts/bench.ts --only listPayments,fairness    some operations, or fairness, only printed
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Comparison, compare } from './bench/compare.ts';
import type { BenchContext } from './bench/context.ts';
import { fairness } from './bench/fairness.ts';
import { startAndIdle, watchMemory } from './bench/footprint.ts';
import { depthRatio, type Growth, growthAt } from './bench/growth.ts';
import { Loader } from './bench/measure.ts';
import { offeredOrders, renderedPages } from './bench/offered.ts';
import { type Overload, overload } from './bench/overload.ts';
import { FULL, REHEARSAL } from './bench/pace.ts';
import { picture } from './bench/picture.ts';
import { profile } from './bench/profile.ts';
import { refusalCosts } from './bench/refusal-cost.ts';
import { type Results, resultsPage } from './bench/results.ts';
import { assertSameAnswers } from './bench/same-answers.ts';
import type { Scenario } from './bench/scenarios.ts';
import { setUpBench } from './bench/setup.ts';
import { TITLES, WITHOUT_BASELINE } from './bench/tables.ts';

const SCENARIOS = Object.keys(TITLES) as Scenario[];
const COMPARED = SCENARIOS.filter((scenario) => !WITHOUT_BASELINE.includes(scenario));

const { values } = parseArgs({
  options: { rehearse: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const pace = values.rehearse ? REHEARSAL : FULL;
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

async function measureAll(bench: BenchContext): Promise<Results> {
  const { setup } = bench;
  const [few, usual, many] = pace.rows;
  const growth: Growth[] = [];
  const growTo = async (rows: number) => {
    say(`growing to ${rows.toLocaleString('en')} payments`);
    await setup.fillTo(rows);
    growth.push(...(await growthAt(bench, SCENARIOS, rows)));
  };

  await growTo(few);
  await assertSameAnswers(bench, COMPARED);
  const watch = watchMemory(setup);
  await growTo(usual);
  const comparisons: Comparison[] = [];
  const overloads: Overload[] = [];
  for (const scenario of COMPARED) {
    say(`${scenario} against the baseline`);
    comparisons.push(...(await compare(bench, scenario)));
    say(`${scenario} at twice its peak load`);
    overloads.push(await overload(bench, scenario));
  }
  const busy_MiB = watch.stop();
  say('a light tenant next to heavy ones');
  const fair = await fairness(bench);
  say('orders at a fixed rate');
  const offered = await offeredOrders(bench);
  say('checkout pages');
  const rendered = await renderedPages(bench);
  say('what refusals cost');
  const rates = overloads.map(({ service }) => service.refused_per_s);
  const refusals = await refusalCosts(bench, rates);
  say('profiles, starts and memory');
  const profiles = [];
  for (const scenario of COMPARED.slice(0, pace.profiles)) {
    profiles.push({ scenario, profile: await profile(bench, scenario) });
  }
  const footprint = { ...(await startAndIdle(setup, pace)), busy_MiB };
  await growTo(many);
  const ratio = await depthRatio(bench);
  return {
    comparisons,
    overloads,
    refusals,
    fairness: fair,
    offered,
    rendered,
    footprint,
    growth,
    pace,
    depthRatio: ratio,
    profiles,
  };
}

/** Measures operations against the baseline, or fairness, at the usual number of payments. */
async function measureSome(bench: BenchContext, names: readonly string[]) {
  await bench.setup.fillTo(pace.rows[1]);
  for (const name of names) {
    say(name);
    const isCompared = COMPARED.includes(name as Scenario);
    if (!isCompared && name !== 'fairness') throw new Error(`Not one of ${COMPARED.join(', ')}, fairness.`);
    console.dir(isCompared ? await compare(bench, name as Scenario) : await fairness(bench), { depth: null });
  }
}

async function measureAndWrite(bench: BenchContext): Promise<void> {
  const results = await measureAll(bench);
  const page = resultsPage(results);
  if (!values.rehearse) {
    writeFileSync(join(import.meta.dirname, 'bench/results.md'), page);
    writeFileSync(join(import.meta.dirname, 'bench/results.svg'), picture(results.comparisons));
  }
  console.log(page);
}

const setup = await setUpBench(pace);
const loader = new Loader();
const bench = { setup, loader, pace };
try {
  if (values.only === undefined) await measureAndWrite(bench);
  else await measureSome(bench, values.only.split(','));
} finally {
  await loader.stop();
  await setup.tearDown();
}
process.exit(0);
