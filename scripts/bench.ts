/**
 * Measures the service against the same operations written by hand, side by side in one run, and writes what came of it:
 * a table and a picture in scripts/bench/.
 *
 * Usage: make bench                 some forty minutes on a quiet machine; nothing else should run there
 *        make bench REHEARSE=yes    a minute, to see that it runs: its figures mean nothing and are printed only
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cast, gather } from './bench/cast.ts';
import { type Comparison, compare } from './bench/compare.ts';
import { startAndIdle, watchMemory } from './bench/footprint.ts';
import { depthRatio, type Growth, growthAt } from './bench/growth.ts';
import { Loader } from './bench/measure.ts';
import { type Overload, overload } from './bench/overload.ts';
import { FULL, type Pace, REHEARSAL } from './bench/pace.ts';
import { picture } from './bench/picture.ts';
import { profile } from './bench/profile.ts';
import { refusalCosts } from './bench/refusal-cost.ts';
import { type Results, resultsPage } from './bench/results.ts';
import { assertSameAnswers } from './bench/same-answers.ts';
import type { Scenario } from './bench/scenarios.ts';
import { TITLES } from './bench/tables.ts';

const SCENARIOS = Object.keys(TITLES) as Scenario[];

const { values } = parseArgs({ options: { rehearse: { type: 'boolean', default: false } } });
const pace = values.rehearse ? REHEARSAL : FULL;
const say = (line: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

async function measureAll(cast: Cast, loader: Loader, pace: Pace): Promise<Results> {
  const [few, usual, many] = pace.rows;
  const growth: Growth[] = [];
  const growTo = async (rows: number) => {
    say(`the books grow to ${rows.toLocaleString('en')} payments`);
    await cast.fillTo(rows);
    growth.push(...(await growthAt(cast, loader, SCENARIOS, rows, pace)));
  };

  await growTo(few);
  await assertSameAnswers(cast, SCENARIOS, pace);
  const watch = watchMemory(cast);
  await growTo(usual);
  const comparisons: Comparison[] = [];
  const overloads: Overload[] = [];
  for (const scenario of SCENARIOS) {
    say(`${scenario} against the baseline`);
    comparisons.push(...(await compare(cast, loader, scenario, pace)));
    say(`${scenario} at twice the load that it bears`);
    overloads.push(await overload(cast, loader, scenario, pace));
  }
  const busy_MiB = watch.stop();
  say('what refusals cost');
  const rates = overloads.map(({ service }) => service.refused_per_s);
  const refusals = await refusalCosts(cast, loader, rates, pace);
  say('profiles, starts and memory');
  const profiles = [];
  for (const scenario of SCENARIOS) {
    profiles.push({ scenario, profile: await profile(cast, loader, scenario, pace) });
  }
  const footprint = { ...(await startAndIdle(cast, pace)), busy_MiB };
  await growTo(many);
  const ratio = await depthRatio(cast, loader, pace);
  return {
    comparisons,
    overloads,
    refusals,
    footprint,
    growth,
    pace,
    depthRatio: ratio,
    profiles,
  };
}

const cast = await gather();
const loader = new Loader();
try {
  const results = await measureAll(cast, loader, pace);
  const page = resultsPage(results);
  if (!values.rehearse) {
    writeFileSync(join(import.meta.dirname, 'bench/results.md'), page);
    writeFileSync(join(import.meta.dirname, 'bench/results.svg'), picture(results.comparisons));
  }
  console.log(page);
} finally {
  await loader.stop();
  await cast.leave();
}
process.exit(0);
