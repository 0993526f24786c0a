import { cpus, totalmem } from 'node:os';
import type { Comparison } from './compare.ts';
import type { Fairness } from './fairness.ts';
import { fairnessPart } from './fairness-part.ts';
import type { Footprint } from './footprint.ts';
import type { Growth } from './growth.ts';
import type { OfferedOrders, RenderedPages } from './offered.ts';
import { offeredPart } from './offered-part.ts';
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
  readonly fairness: readonly Fairness[];
  readonly offered: OfferedOrders;
  readonly rendered: readonly RenderedPages[];
  readonly footprint: Footprint;
  readonly growth: readonly Growth[];
  readonly pace: Pace;
  readonly depthRatio: number;
  readonly profiles: readonly { readonly scenario: Scenario; readonly profile: Profile }[];
}

/** The page that `make bench` writes, in Markdown. */
export function resultsPage(results: Results): string {
  return `# Performance

This page is written by \`make bench\`. The baseline is a minimal server on fastify and pg (\`baseline/\`). It does what these
operations need and nothing else: the same key look-up, validation, SQL, transactions, call to the acquirer and log line. A
ratio is the requests per second of the service, divided by those of the baseline: above 1, the service is faster.

The service and the baseline are two processes with the same options of Node, on one Postgres (fsync on). Both are started
${results.pace.pairs} times and measured alternately, ${results.pace.round_s} s each time, and the table shows the median of the ratios. It varies by up to a
tenth between runs. Only ratios can be compared between machines: this one has ${cpus().length} processors
(${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory and Node ${process.version}, and runs
Postgres, both servers and the load generator at the same time.

![Requests per second of the service, divided by those of the baseline](results.svg)

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

Processor time is that of the server's process for one request. The service is
faster than the baseline where look-ups of keys and rows share a connection and are sent together
(\`db/engine/connections.ts\`), and where row readers are compiled once for each statement (\`db/engine/row-reader.ts\`).

## Where the time goes

The parts of the main thread's time, with 32 connections.

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

${fairnessPart(results.fairness)}

${offeredPart(results)}

## Start and memory

${table(
  ['', 'Measured', 'Limit'],
  [
    [
      'From the start to the first answer, if everything is installed and the database runs',
      `${whole(results.footprint.start_ms)} ms`,
      '≤ 1,500 ms',
    ],
    ['Memory when idle', mib(results.footprint.idle_MiB), '≤ 150 MiB'],
    ['Maximum memory under all of the load above', mib(results.footprint.busy_MiB), '≤ 300 MiB'],
  ],
)}

## Growth

Requests per second at 8 connections, with this number of payments (and as many orders and customers) of one merchant.
Between two sizes, minutes pass in which V8 compiles more code and the machine does other work, so an increase has no
meaning. The figures must not decrease. The balance is that of a seller by card in 12 installments: money becomes available on
each of the next 360 days.

${growthTable(results.growth)}

Requests per second for a page at depth ${results.pace.depth.toLocaleString('en')}, divided by those for the first page:
**${results.depthRatio.toFixed(2)}**.
`;
}

/** The head of the table of growth. */
function growthHead(rows: readonly number[]): string[] {
  return ['Operation', ...rows.map((count) => count.toLocaleString('en')), 'Last / first'];
}

function growthTable(growth: readonly Growth[]): string {
  const rows = [...new Set(growth.map((point) => point.rows))];
  const scenarios = [...new Set(growth.map((point) => point.scenario))];
  return table(
    growthHead(rows),
    scenarios.map((scenario) => {
      const points = growth.filter((point) => point.scenario === scenario);
      const ratio = points.at(-1)!.perSecond / points[0]!.perSecond;
      return [TITLES[scenario], ...points.map((point) => whole(point.perSecond)), `**${ratio.toFixed(2)}**`];
    }),
  );
}
