import { type Fairness, GREEDY_CONNECTIONS, MODEST_PER_S } from './fairness.ts';
import { ms, percent, table } from './tables.ts';

/** The part of the page about a light tenant next to heavy ones. */
export function fairnessPart(results: readonly Fairness[]): string {
  return `## A light tenant next to heavy ones

A light merchant reads ${MODEST_PER_S} pages of payments a second. At the same time, one or two heavy merchants read pages on
${GREEDY_CONNECTIONS} connections each. Every merchant is a tenant of its own in the queue (\`handlers/http/admission/\`). For comparison, the
light requests also carry the key of a heavy merchant: then they wait as they would if all merchants were one tenant. Each
value is the median of several rounds.

${table(
  ['Heavy merchants', 'p50', 'As one tenant', 'p99', 'As one tenant', 'Refused', 'As one tenant'],
  results.map(({ greedy, apart, together }) => [
    greedy,
    `**${ms(apart.p50_ms)}**`,
    ms(together.p50_ms),
    `**${ms(apart.p99_ms)}**`,
    ms(together.p99_ms),
    percent(apart.refused),
    percent(together.refused),
  ]),
)}`;
}
