import { cpus, totalmem } from 'node:os';
import { mib, ms, table, us, whole } from '../tables.ts';
import type { AmongOthers } from './not-due.ts';
import type { OfOneMerchant } from './one-merchant.ts';
import type { SubscriptionPace } from './pace.ts';
import type { WithCycles } from './past-cycles.ts';
import type { RenewalDay, Renewals } from './renewals.ts';

export interface SubscriptionResults {
  readonly pace: SubscriptionPace;
  readonly days: readonly RenewalDay[];
  readonly ofOne: readonly OfOneMerchant[];
  readonly amongOthers: readonly AmongOthers[];
  readonly cycles: readonly WithCycles[];
}

const COST_HEAD = [
  'Time',
  'Cycles/s',
  'Processor time of the worker',
  'Of Postgres',
  'Of the acquirer',
  'Commits',
  'Maximum memory',
];

const cost = (renewals: Renewals) => [
  `${renewals.took_s.toFixed(1)} s`,
  whole(renewals.due / renewals.took_s),
  us(renewals.worker_us),
  us(renewals.postgres_us),
  us(renewals.acquirer_us),
  renewals.commits.toFixed(2),
  mib(renewals.memory_MiB),
];

/** The page that `make bench-subscriptions` writes, in Markdown. */
export function subscriptionsPage({ pace, days, ofOne, amongOthers, cycles }: SubscriptionResults): string {
  return `# Performance of subscriptions

This page is written by \`make bench-subscriptions\`. One worker charges cycles by card, on one Postgres (fsync on), at the
simulated acquirer, which is a process with a Postgres of its own and answers after ${pace.answerAfter_ms} ms at the earliest. All of them, and an API
process, share a machine with ${cpus().length} processors (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory and Node ${process.version}.
Processor time and commits are those of one cycle. Commits include other work of the worker, such as the events.

## Renewal day

Cycles of ${pace.merchants} merchants that fall due at the same time, until the last one is paid (limit: 100,000 in 300 s). Meanwhile the API
answers ${pace.reads_per_s} reads a second: pages of payments, and customers. The last columns are the median and the p99 of all these
reads (limit of the p99: 50 ms), and the highest p99 of ${pace.reads_s} s of them.

${table(
  ['Due cycles', ...COST_HEAD, 'Reads, p50', 'p99', 'Highest p99'],
  days.map(({ renewals, reads }) => [
    whole(renewals.due),
    ...cost(renewals),
    ms(reads.p50_ms),
    ms(reads.p99_ms),
    ms(reads.highestP99_ms),
  ]),
)}

### One merchant

${whole(pace.dueOfOne)} due cycles of a single merchant, which several workers share. Processor time is that of all workers together.

${table(
  ['Workers', ...COST_HEAD],
  ofOne.map(({ workers, renewals }) => [workers, ...cost(renewals)]),
)}

## Subscriptions that are not due

${whole(pace.dueAmong)} due cycles, while few and many other subscriptions are not due. Medians of ${pace.runsAmong} runs.

${table(
  ['Not due', ...COST_HEAD],
  amongOthers.map(({ notDue, renewals }) => [whole(notDue), ...cost(renewals)]),
)}

## Past cycles

Reads of a subscription with few and with many paid cycles: the subscription, a page of ${pace.invoices} of its invoices, and a page of the
subscriptions of its customer. Medians of ${pace.reads} reads, which are made in turns: ${pace.readsInTurn} of one subscription, then ${pace.readsInTurn} of the other.

${table(
  ['Paid cycles', 'Read', 'Invoices', 'List'],
  cycles.map((read) => [whole(read.cycles), ms(read.read_ms), ms(read.invoices_ms), ms(read.list_ms)]),
)}
`;
}
