import type { OfferedOrders, RenderedPages } from './offered.ts';
import type { Pace } from './pace.ts';
import { ms, TITLES, table, whole } from './tables.ts';

/** The part of the page about orders at a fixed rate, and about checkout pages. */
export function offeredPart({
  offered,
  rendered,
  pace,
}: {
  readonly offered: OfferedOrders;
  readonly rendered: readonly RenderedPages[];
  readonly pace: Pace;
}): string {
  const { rate_per_s, tally } = offered;
  return `## At a fixed rate

Orders by card of four merchants are sent at a fixed rate for ${pace.offered_s} s, whether or not earlier ones are answered: 250 a
second, or the most that this machine can serve. The time of an answer counts from the moment at which its request should
have been sent.

${table(
  ['Operation', 'Offered', 'Served', 'Refused', 'p50', 'p99'],
  [
    [
      TITLES.createCardOrder,
      `${whole(rate_per_s)}/s`,
      `**${tally.accepted_per_s.toFixed(1)}/s**`,
      `${tally.refused_per_s.toFixed(1)}/s`,
      ms(tally.p50_ms),
      ms(tally.p99_ms),
    ],
  ],
)}

## Checkout pages

Pages of a payment link for buyers at many addresses: each is read from the database and rendered on the server. A browser
loads the styles and scripts of the first page only.

${table(
  ['Connections', 'Pages/s', 'p50', 'p99'],
  rendered.map(({ connections, perSecond, p50_ms, p99_ms }) => [
    connections,
    `**${whole(perSecond)}**`,
    ms(p50_ms),
    ms(p99_ms),
  ]),
)}`;
}
