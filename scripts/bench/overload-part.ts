import { CROWD, DOUBLED } from './overload.ts';
import { mostOfPeak } from './refusal-cost.ts';
import type { Results } from './results.ts';
import { ms, percent, percentOrUnknown, TITLES, table, whole } from './tables.ts';

/** The part of the page about twice the load. */
export function overloadPart(results: Pick<Results, 'overloads' | 'refusals'>): string {
  return `## At twice the load that it bears

The load is doubled in two ways. First, by ${DOUBLED} connections, each of which waits for its answer before its next request. The
service accepts all of them. Second, by requests at twice the rate that saturated a side just before, sent without waiting
for earlier answers, from ${CROWD} connections of four merchants. The service answers 503 to requests above its limit; the baseline
refuses none, and all of them wait. What the baseline loses against its own peak is the cost of the connections and of the
load generator, which use more of the same processors than at the peak. The values are medians of rounds, each column by
itself, and ratios compare a round with the peaks just before and after it. With keys of four merchants and many customers,
a peak may differ from the one above.

${table(
  [
    'Operation',
    'Peak',
    `${DOUBLED} connections, of the peak`,
    'Twice the rate: served',
    'Of the peak',
    'Baseline: of its peak',
    'p99 of the served',
    'Baseline',
    'Refused',
    'p50 of refusals',
    'p99',
  ],
  results.overloads.map(({ scenario, service, baseline }) => [
    TITLES[scenario],
    `${whole(service.peak_per_s)}/s`,
    `**${percent(service.doubledRatio)}**`,
    `${whole(service.goodput_per_s)}/s`,
    `**${percent(service.ratio)}**`,
    percent(baseline.ratio),
    ms(service.p99_ms),
    ms(baseline.p99_ms),
    `${whole(service.refused_per_s)}/s`,
    ms(service.refused_p50_ms),
    ms(service.refused_p99_ms),
  ]),
)}

The same thread serves requests and reads and answers refused ones. This table shows the share of a processor that refusals
of requests without a body take at this rate, when the server does nothing else. The last column is the part of the peak
that can remain at twice its rate, if a refusal costs as much as with Node's HTTP server alone and the peak fills the thread:

${table(
  [
    'As many as in the overload of',
    'Refused',
    'The service',
    "Node's HTTP server alone",
    'Of the peak, with that',
  ],
  results.overloads.map(({ scenario, service }, index) => [
    TITLES[scenario],
    `${whole(service.refused_per_s)}/s`,
    percentOrUnknown(results.refusals[index]!.service),
    percentOrUnknown(results.refusals[index]!.bare),
    percentOrUnknown(mostOfPeak(service, results.refusals[index]!)),
  ]),
)}`;
}
