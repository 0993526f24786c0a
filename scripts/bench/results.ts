import { cpus, totalmem } from 'node:os';
import type { Comparison } from './compare.ts';
import type { Footprint } from './footprint.ts';
import type { Growth } from './growth.ts';
import { CROWD, DOUBLED, type Overload } from './overload.ts';
import type { Profile } from './profile.ts';
import { mostOfPeak, type RefusalCost } from './refusal-cost.ts';
import type { Scenario } from './scenarios.ts';

export interface Results {
  readonly comparisons: readonly Comparison[];
  readonly overloads: readonly Overload[];
  /** Of as many refusals a second as the overload of the same place had. */
  readonly refusals: readonly RefusalCost[];
  readonly footprint: Footprint;
  readonly growth: readonly Growth[];
  readonly depth: number;
  readonly depthRatio: number;
  readonly profiles: readonly { readonly scenario: Scenario; readonly profile: Profile }[];
}

/** What a reader knows the operations by. */
export const TITLES: Readonly<Record<Scenario, string>> = {
  getCustomer: '`GET /customers/{identifier}`',
  listPayments: '`GET /payments`, a page of 20',
  createCustomer: '`POST /customers`',
  createOrder: '`POST /charges/orders` by Pix',
};

/** The page that `make bench` writes, in Markdown. */
export function resultsPage(results: Results): string {
  return `# What the service costs

Written by \`make bench\`. Ratios compare the service with the same operations written by hand on fastify and pg
(\`baseline/\`): the same key look-up, validation, SQL, transactions, call to the acquirer and log line, and nothing else.
Each side is a process of its own on one Postgres (fsync on); they take turns in one run, and the median of the rounds'
ratios counts. Only ratios carry over to another machine: this one has ${cpus().length} processors
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

Processor time is that of the server's process for one request.

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

## At twice the load that it bears

The load is doubled in two ways. By ${DOUBLED} connections, each of which waits for its answer before it asks again: all of them find
room. And by requests that come at twice the rate that saturated a side right before, whatever becomes of those that came
earlier, from ${CROWD} connections of four merchants: the service answers 503 what finds no room, and the baseline refuses nobody and
lets all wait. What the baseline loses against its own peak is lost to the crowd of connections and to the load generator,
which take more of the same processors than they did at the peak. Medians of rounds, each held against the peaks right
before and after it.

${table(
  [
    'Operation',
    'Peak',
    `${DOUBLED} connections, of the peak`,
    'Twice the rate: served',
    'Of the peak',
    'Baseline: of its peak',
    'p99 of the served',
    'Refused',
    'p99 of refusals',
  ],
  results.overloads.map(({ scenario, service, baseline }) => [
    TITLES[scenario],
    `${whole(service.peak_per_s)}/s`,
    `**${percent(service.doubledRatio)}**`,
    `${whole(service.goodput_per_s)}/s`,
    `**${percent(service.ratio)}**`,
    percent(baseline.ratio),
    ms(service.p99_ms),
    `${whole(service.refused_per_s)}/s`,
    ms(service.refused_p99_ms),
  ]),
)}

A request that is refused is read and answered by the one thread that also serves. So many refusals a second of requests
without a body take of a processor, where nothing else is done; and so much of the peak can be left at twice its rate, were
a refusal to cost no more than it costs Node's HTTP server alone:

${table(
  [
    'As many as in the overload of',
    'Refused',
    'The service',
    "Node's HTTP server alone",
    'Of the peak at most, with that',
  ],
  results.overloads.map(({ scenario, service }, index) => [
    TITLES[scenario],
    `${whole(service.refused_per_s)}/s`,
    percentOrUnknown(results.refusals[index]!.service),
    percentOrUnknown(results.refusals[index]!.bare),
    percentOrUnknown(mostOfPeak(service, results.refusals[index]!)),
  ]),
)}

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

Requests a second at 8 connections, with so many payments (and as many orders and customers) of one merchant.

${growthTable(results.growth)}

A page at depth ${results.depth.toLocaleString('en')} over the first page: **${results.depthRatio.toFixed(2)}**.
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

/** A table of Markdown. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(line)].join(
    '\n',
  );
}

const whole = (value: number) => Math.round(value).toLocaleString('en');
const ms = (value: number) => `${value.toFixed(1)} ms`;
const us = (value: number | null) => (value === null ? '–' : `${whole(value)} µs`);
const mib = (value: number | null) => (value === null ? 'unknown here' : `${whole(value)} MiB`);
const percent = (value: number) => `${Math.round(value * 100)} %`;
const percentOrUnknown = (value: number | null) => (value === null ? '–' : percent(value));
