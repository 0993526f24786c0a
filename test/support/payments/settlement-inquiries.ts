import assert from 'node:assert/strict';
import type { SettlementLine } from '../../../domain/ledger/settlement.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import type { InquiryOutcome } from '../../../gateway/acquirer.ts';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import { reconcileDay } from '../../../services/payments/reconcile-day.ts';
import { clockNow } from '../clock-calls.ts';
import type { Json, TestService } from '../service.ts';
import type { Shop } from '../shop.ts';
import { loseNotifications, stopLosing } from './lost-notifications.ts';

/** The day of a shop by its clock. */
export async function todayOf(shop: Shop): Promise<string> {
  return merchantDay(new Date(await clockNow(shop)));
}

/** Compares the file of today (`todayOf`) with the ledger. */
export async function compareToday(shop: Shop, more: readonly SettlementLine[] = []): Promise<string[]> {
  return compareDay(shop, await todayOf(shop), more);
}

/**
 * Compares the file of a day with the ledger. `more`: lines that the file has in addition. Returns the reasons of the
 * differences.
 */
export async function compareDay(
  shop: Shop,
  day: string,
  more: readonly SettlementLine[] = [],
): Promise<string[]> {
  const { deps } = shop.service;
  const { slot, merchantId } = shop.onboarded.merchant;
  const file = await deps.settlementFiles.read(merchantId, day);
  assert.ok(file.kind === 'file');
  const files = { day, lines: [...file.lines, ...more], before: [], after: [] };
  const differences = await reconcileDay(deps, { slot, merchantId }, files);
  return differences.map(({ reason, type }) => `${reason} ${type}`);
}

/** Does these things at the acquirer, of which the service gets no notification. */
export async function simulateSilently(
  shop: Shop,
  payment: Json,
  ...outcomes: SimulatedOutcome[]
): Promise<void> {
  await loseNotifications(shop);
  for (const outcome of outcomes) {
    assert.equal((await shop.post(`/sandbox/payments/${payment.id}/simulate`, { outcome })).status, 200);
  }
  await stopLosing(shop);
}

/** Runs `work` while the acquirer answers inquiries with this. Returns the references that it was asked about. */
export async function answering(
  service: TestService,
  change: (real: InquiryOutcome) => InquiryOutcome,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const asked: string[] = [];
  const spy = service.intercept((real) => ({
    inquire: async (inquiry) => {
      asked.push(inquiry.reference);
      return change(await real.inquire(inquiry));
    },
  }));
  await work().finally(spy.undo);
  return asked;
}
