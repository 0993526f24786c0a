import { median } from '../pace.ts';
import { callApi } from '../webhooks/setup.ts';
import type { SubscriptionPace } from './pace.ts';
import { addPaidCycles } from './rows.ts';
import { createSubscription, type SubscriptionSetup } from './setup.ts';

/** Times of reads of a subscription with so many paid cycles. */
export interface WithCycles {
  readonly cycles: number;
  readonly read_ms: number;
  /** A page of its invoices. */
  readonly invoices_ms: number;
  /** A page of the customer's subscriptions. */
  readonly list_ms: number;
}

/** Measures reads of a subscription with few and of one with many paid cycles, in turns. */
export async function readsWithCycles(
  setup: SubscriptionSetup,
  pace: SubscriptionPace,
): Promise<WithCycles[]> {
  const { pool, service, merchants } = setup;
  const merchant = merchants[0]!;
  const { rows } = await pool.query(
    'select id, customer_id from cards where merchant_id = $1 order by id limit $2',
    [merchant.merchantId, pace.cycles.length],
  );
  const read: { cycles: number; paths: readonly string[] }[] = [];
  for (const [i, cycles] of pace.cycles.entries()) {
    const card = { id: rows[i].id, customerId: rows[i].customer_id };
    const id = await createSubscription(service, merchant, card);
    await addPaidCycles(pool, id, cycles);
    const list = `/subscriptions?customer_id=${card.customerId}`;
    read.push({
      cycles,
      paths: [`/subscriptions/${id}`, `/subscriptions/${id}/invoices?per_page=${pace.invoices}`, list],
    });
  }
  await pool.query('vacuum analyze');
  const medians = await timesOf(
    setup,
    read.map(({ paths }) => paths),
    pace,
  );
  return read.map(({ cycles }, i) => {
    const [read_ms, invoices_ms, list_ms] = medians[i]!;
    return { cycles, read_ms: read_ms!, invoices_ms: invoices_ms!, list_ms: list_ms! };
  });
}

/**
 * The medians of the paths of each subscription. The subscriptions are read in turns, a batch of each, and each of them
 * begins as often as the others: the service and Postgres get warmer meanwhile, and the machine can get slower.
 */
async function timesOf(
  { service, merchants }: SubscriptionSetup,
  subscriptions: readonly (readonly string[])[],
  { reads, readsInTurn }: Pick<SubscriptionPace, 'reads' | 'readsInTurn'>,
): Promise<number[][]> {
  const timed = subscriptions.map((paths) => paths.map((path) => ({ path, took_ms: [] as number[] })));
  const perPath = timed[0]!.length;
  for (let at = 0; at < perPath; at += 1) {
    for (let turn = 0; turn * readsInTurn < reads; turn += 1) {
      const first = turn % timed.length;
      for (const paths of [...timed.slice(first), ...timed.slice(0, first)]) {
        const { path, took_ms } = paths[at]!;
        for (let i = 0; i < readsInTurn; i += 1) {
          const began = performance.now();
          await callApi(service, merchants[0]!, path);
          took_ms.push(performance.now() - began);
        }
      }
    }
  }
  return timed.map((paths) => paths.map(({ took_ms }) => median(took_ms)));
}
