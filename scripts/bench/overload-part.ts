import { CROWD, DOUBLED, type Overload } from './overload.ts';
import { mostOfPeak, type RefusalCost } from './refusal-cost.ts';
import { ms, percent, percentOrUnknown, TITLES, table, whole } from './tables.ts';

/** The part of the page about twice the load. `refusals`: at the index of the overload that they belong to. */
export function overloadPart(results: {
  readonly overloads: readonly Overload[];
  readonly refusals: readonly RefusalCost[];
}): string {
  return `## At twice the peak load

The load is doubled in two ways. First, ${DOUBLED} connections send requests, each after the answer to its previous one. The
service accepts all of these requests. Second, ${CROWD} connections of four merchants send requests without waiting for
earlier answers, at twice the rate that the same server could serve just before. The service answers 503 to requests above
its limit. The baseline refuses none, so all of them wait. The baseline too serves less than at its peak, because the
connections and the load generator take more time of the same processors. Each value is the median of several rounds. Each
ratio compares a round with the peaks just before and after it. With keys of four merchants and many customers, a peak can
differ from the table above.

${table(
  [
    'Operation',
    'Peak',
    `${DOUBLED} connections: part of the peak`,
    'Twice the rate: served',
    'Part of its peak',
    'Baseline: part of its peak',
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

One thread serves requests and refuses others. The table shows how much of a processor the refusals take at this rate, if
the requests have no bodies and the server does nothing else. The last column is an estimate: the part of the peak that a
server could still serve at twice the load, if a refusal costs as much as with Node's HTTP server alone and the peak uses
the whole thread.

${table(
  [
    'Refusals as in the overload of',
    'Refused',
    'The service',
    "Node's HTTP server alone",
    'Part of the peak',
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
