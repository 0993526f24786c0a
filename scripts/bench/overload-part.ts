import { CROWD, DOUBLED } from './overload.ts';
import { mostOfPeak } from './refusal-cost.ts';
import type { Results } from './results.ts';
import { ms, percent, percentOrUnknown, TITLES, table, whole } from './tables.ts';

/** The part of the page about twice the load. */
export function overloadPart(results: Pick<Results, 'overloads' | 'refusals'>): string {
  return `## At twice the load that it bears

The load is doubled in two ways. By ${DOUBLED} connections, each of which waits for its answer before it asks again: all of them find
room. And by requests that come at twice the rate that saturated a side right before, whatever becomes of those that came
earlier, from ${CROWD} connections of four merchants: the service answers 503 what finds no room, and the baseline refuses nobody and
lets all wait. What the baseline loses against its own peak is lost to the crowd of connections and to the load generator,
which take more of the same processors than they did at the peak. Medians of rounds, each held against the peaks right
before and after it, and of each column for itself. With four merchants' keys and many customers a peak may be another than
above.

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

A request that is refused is read and answered by the one thread that also serves. So many refusals a second of requests
without a body take of a processor, where nothing else is done; and so much of the peak can be left at twice its rate, were
a refusal to cost no more than it costs Node's HTTP server alone, and the peak to fill the thread:

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
