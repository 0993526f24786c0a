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

/** Measures reads of a subscription with few and of one with many paid cycles. */
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
  const results: WithCycles[] = [];
  for (const { cycles, paths } of read) {
    const [read_ms, invoices_ms, list_ms] = await timesOf(setup, paths, pace.reads);
    results.push({ cycles, read_ms: read_ms!, invoices_ms: invoices_ms!, list_ms: list_ms! });
  }
  return results;
}

async function timesOf(
  { service, merchants }: SubscriptionSetup,
  paths: readonly string[],
  count: number,
): Promise<number[]> {
  const medians: number[] = [];
  for (const path of paths) {
    const took_ms: number[] = [];
    for (let i = 0; i < count; i += 1) {
      const began = performance.now();
      await callApi(service, merchants[0]!, path);
      took_ms.push(performance.now() - began);
    }
    medians.push(median(took_ms));
  }
  return medians;
}
