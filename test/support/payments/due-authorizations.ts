/** Lets the time of authorizations pass, and shows what the acquirer was asked for. */

import { MINUTE_MS } from '../clock-calls.ts';
import { runPaymentSteps } from '../run-jobs.ts';
import type { Json, TestService } from '../service.ts';
import type { Shop } from '../shop.ts';
import { reconcile } from './acquirer-calls.ts';

/** The events of a payment of which the amount is reserved. */
export const RESERVED = ['payment.created', 'payment.pre_authorized', 'payment.authorized'];

export const after = ({ created_at }: Json, ms: number) =>
  new Date(Date.parse(created_at) + ms).toISOString();

export const lastEvents = async (shop: Shop, id: string, count: number) =>
  (await shop.eventNames(id)).slice(-count);

/** The captures and voids that the acquirer was asked for. */
export async function askedOf(shop: Shop, id: string): Promise<string[]> {
  const rows = await shop.service.rows<{ kind: string }>(
    "select kind from simulator.operations where payment_reference = :reference and kind in ('capture', 'cancel')",
    { reference: await shop.reference(id) },
  );
  return rows.map(({ kind }) => kind);
}

/** Runs what is due this long after now. */
export async function runJobs(service: TestService, ahead_ms: number): Promise<void> {
  service.setAhead(ahead_ms);
  await runPaymentSteps(service.deps);
}

/**
 * Runs what is due a minute after `due_ms`, dies before a command is sent, and reconciles two minutes later. What is
 * then sent again is lost.
 */
export async function dieBeforeTheAcquirer(
  service: TestService,
  command: 'capture' | 'cancel',
  due_ms: number,
): Promise<void> {
  const dying = service.intercept(() => ({
    [command]: async () => {
      throw new Error('The process dies.');
    },
  }));
  await runJobs(service, due_ms + MINUTE_MS);
  dying.undo();
  const losing = service.intercept(() => ({
    [command]: async () => ({ kind: 'unknown', cause: 'time_out' }) as const,
  }));
  await reconcile(service, due_ms + 3 * MINUTE_MS);
  losing.undo();
}
