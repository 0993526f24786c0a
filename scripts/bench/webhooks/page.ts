import { cpus, totalmem } from 'node:os';
import { mib, ms, percent, TITLES, table, us, whole } from '../tables.ts';
import type { DeliverySpeed } from './deliveries.ts';
import type { Latency } from './latency.ts';
import type { OrderPath } from './order-path.ts';
import type { WebhookPace } from './pace.ts';
import type { WithPast } from './past-deliveries.ts';

export interface WebhookResults {
  readonly pace: WebhookPace;
  readonly speed: DeliverySpeed;
  readonly orders: readonly OrderPath[];
  readonly healthy_s: number;
  readonly latency: Latency;
  readonly past: readonly WithPast[];
}

/** The page that `make bench-webhooks` writes, in Markdown. */
export function webhooksPage({ pace, speed, orders, healthy_s, latency, past }: WebhookResults): string {
  return `# Performance of webhooks

This page is written by \`make bench-webhooks\`. One worker delivers, on one Postgres (fsync on), to a receiver on the same
machine, which has ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory and Node ${process.version}. Worker, Postgres and
receiver share the processors. Each value is the median of ${pace.rounds} rounds, or of ${pace.orderRounds} for orders.
Rounds vary by up to a fifth.

## Deliveries

${whole(pace.deliveries)} signed deliveries to ten endpoints, from the commit of their events to the last arrival. The comparison is a
process that only posts the same bodies with undici. It signs them before the clock starts. The worker also creates the
deliveries, reads them, signs them, and records their results.

${table(
  [
    '',
    'Deliveries/s',
    'Over undici alone',
    'Processor time',
    'Over undici alone',
    'Of Postgres',
    'Of the receiver',
    'Maximum memory',
  ],
  [
    [
      'The worker',
      whole(speed.worker.perSecond),
      `**${speed.ratio.toFixed(2)}**`,
      us(speed.worker.processor_us),
      speed.processorRatio === null ? '–' : speed.processorRatio.toFixed(2),
      us(speed.worker.postgres_us),
      us(speed.worker.sink_us),
      mib(speed.worker.memory_MiB),
    ],
    [
      'undici alone',
      whole(speed.bare.perSecond),
      '',
      us(speed.bare.processor_us),
      '',
      '',
      us(speed.bare.sink_us),
      mib(speed.bare.memory_MiB),
    ],
  ],
)}

Processor time is that of one delivery.

## Slow receivers

${whole(pace.receivers)} receivers that answer, each with one delivery, behind ${whole(pace.receivers)} that do not answer: all are delivered after **${healthy_s.toFixed(1)} s**
(limit: 2 s).

## From the change to its arrival

While a worker has nothing else to do, an event arrives after ${ms(latency.p50_ms)} (median) and ${ms(latency.p99_ms)} (p99). A worker looks for
new events every 500 ms.

## Orders

Orders of a merchant with ten endpoints, compared with one without endpoints. Without a worker, the table shows the peak of
8 connections, and the ratio of the rounds, in which the two merchants take turns: the median, the lowest and the highest.
The service writes the same events for both merchants, and workers create the deliveries afterwards. With a worker, orders
arrive at a twentieth of the peak rate, because the worker, with ten deliveries for each event, and the service share the
processors.

${table(
  [
    'Operation',
    'Worker',
    'Orders/s with ten endpoints',
    'With none',
    'Ratio',
    'p50',
    'With none',
    'p99',
    'With none',
    'Processor time',
    'With none',
  ],
  orders.map(({ scenario, isDelivering, plain, subscribed, ratio, ratios }) => [
    TITLES[scenario],
    isDelivering ? 'delivers' : 'none',
    whole(subscribed.perSecond),
    whole(plain.perSecond),
    isDelivering
      ? ''
      : `**${percent(ratio)}** (${percent(Math.min(...ratios))}–${percent(Math.max(...ratios))})`,
    ms(subscribed.p50_ms),
    ms(plain.p50_ms),
    ms(subscribed.p99_ms),
    ms(plain.p99_ms),
    us(subscribed.processor_us),
    us(plain.processor_us),
  ]),
)}

## Past deliveries

${whole(pace.today)} deliveries of a merchant and pages of 20 of its list, without past deliveries and with those of 30 days. The last
two columns are one batch of the clean-up in the merchant's slot: if nothing has expired, and if 1,000 deliveries have.

${table(
  [
    'Past deliveries',
    'Deliveries/s',
    'Processor time',
    'Of Postgres',
    'Newest',
    'Of an endpoint',
    'Failed',
    'Clean-up, nothing expired',
    '1,000 expired',
  ],
  past.map(({ past: count, delivered, rates, pages_ms, nothingExpired_ms, expired_ms }) => [
    whole(count),
    `${whole(delivered.perSecond)} (${whole(rates[0]!)}–${whole(rates.at(-1)!)})`,
    us(delivered.processor_us),
    us(delivered.postgres_us),
    ms(pages_ms.newest),
    ms(pages_ms['of an endpoint']),
    ms(pages_ms.failed),
    ms(nothingExpired_ms),
    ms(expired_ms),
  ]),
)}
`;
}
