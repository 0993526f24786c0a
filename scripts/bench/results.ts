import { cpus, totalmem } from 'node:os';
import type { Comparison } from './compare.ts';
import type { Footprint } from './footprint.ts';
import type { Growth } from './growth.ts';
import type { Overload } from './overload.ts';
import { overloadPart } from './overload-part.ts';
import type { Pace } from './pace.ts';
import type { Profile } from './profile.ts';
import type { RefusalCost } from './refusal-cost.ts';
import type { Scenario } from './scenarios.ts';
import { mib, ms, percent, TITLES, table, us, whole } from './tables.ts';

export interface Results {
  readonly comparisons: readonly Comparison[];
  readonly overloads: readonly Overload[];
  /** At as many refusals a second as the overload at the same index had. */
  readonly refusals: readonly RefusalCost[];
  readonly footprint: Footprint;
  readonly growth: readonly Growth[];
  readonly pace: Pace;
  readonly depthRatio: number;
  readonly profiles: readonly { readonly scenario: Scenario; readonly profile: Profile }[];
}

/** The page that `make bench` writes, in Markdown. */
export function resultsPage(results: Results): string {
  return `# What the service costs

Written by \`make bench\`. Ratios compare the service with the same operations written by hand on fastify and pg
(\`baseline/\`): the same key look-up, validation, SQL, transactions, call to the acquirer and log line, and nothing else.
Each side is a process of its own, with the same options of Node, on one Postgres (fsync on). Both are started
${results.pace.pairs} times and asked in turns, ${results.pace.round_s} s each time, and the median of the ratios counts. From run to run it moves by
up to a tenth. Only ratios carry over to another machine: this one has ${cpus().length} processors
(${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory and Node ${process.version}, and runs
Postgres, both sides and the load generator at once.

![Requests a second over the baseline](results.svg)

## Against the baseline

${table(
  [
    'Operation',
    'Connections',
    'Ratio',
    'Requests/s',
    'Baseline',
    'p50',
    'Baseline',
    'p99',
    'Baseline',
    'Processor time',
    'Baseline',
  ],
  results.comparisons.map(({ scenario, connections, ratio, service, baseline }) => [
    TITLES[scenario],
    connections,
    `**${ratio.toFixed(2)}**`,
    whole(service.perSecond),
    whole(baseline.perSecond),
    ms(service.p50_ms),
    ms(baseline.p50_ms),
    ms(service.p99_ms),
    ms(baseline.p99_ms),
    us(service.processor_us),
    us(baseline.processor_us),
  ]),
)}

Processor time is that of the server's process for one request. Where the service is faster than code written by hand, the
reasons are look-ups of keys and rows, which share a connection and are sent together (\`db/engine/connections.ts\`), and row
readers that are compiled once for each statement (\`db/engine/row-reader.ts\`).

## Where the time goes

Of the main thread, 32 connections.

${results.profiles
  .map(
    ({ scenario, profile }) =>
      `${TITLES[scenario]}\n\n${table(
        ['Part', 'Share'],
        profile.slice(0, 10).map(({ part, share }) => [part, percent(share)]),
      )}`,
  )
  .join('\n\n')}

${overloadPart(results)}

## Start and memory

${table(
  ['', 'Measured', 'Asked'],
  [
    [
      'Start to first answer, installed and the database up',
      `${whole(results.footprint.start_ms)} ms`,
      '≤ 1,500 ms',
    ],
    ['Memory when idle', mib(results.footprint.idle_MiB), '≤ 150 MiB'],
    ['Memory under all of the load above, at most', mib(results.footprint.busy_MiB), '≤ 300 MiB'],
  ],
)}

## Growth

Requests a second at 8 connections, with this number of payments (and as many orders and customers) of one merchant. Minutes
pass between two sizes, in which V8 compiles more code and the machine does other work. So a rise means nothing; the
figures must not fall.

${growthTable(results.growth)}

A page at depth ${results.pace.depth.toLocaleString('en')} over the first page: **${results.depthRatio.toFixed(2)}**.
`;
}

function growthTable(growth: readonly Growth[]): string {
  const rows = [...new Set(growth.map((point) => point.rows))];
  const scenarios = [...new Set(growth.map((point) => point.scenario))];
  return table(
    ['Operation', ...rows.map((count) => count.toLocaleString('en')), 'Last over first'],
    scenarios.map((scenario) => {
      const points = growth.filter((point) => point.scenario === scenario);
      const ratio = points.at(-1)!.perSecond / points[0]!.perSecond;
      return [TITLES[scenario], ...points.map((point) => whole(point.perSecond)), `**${ratio.toFixed(2)}**`];
    }),
  );
}
