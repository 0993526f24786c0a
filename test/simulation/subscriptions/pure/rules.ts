import assert from 'node:assert/strict';
import { isClosed } from '../../../../domain/subscriptions/subscription-status.ts';
import { daysBetween } from '../calendar.ts';
import { assertAllowedStatuses } from '../statuses.ts';
import type { EngineAttempt, EngineSubscription } from './engine-subscription.ts';

const RETRIES = 3;
const RETRY_DAYS = 7;

/** The rules that hold for every subscription, whatever the model says. */
export function assertRules({ attempts, invoices, events, billing }: EngineSubscription): void {
  assertAllowedStatuses(
    events.map((line) => line.split(' ')[2]!),
    'the subscription',
  );
  for (const [cycle, ofCycle] of attempts) {
    assert.ok(ofCycle.filter(({ state }) => state === 'paid').length <= 1, `cycle ${cycle} was paid twice`);
    const open = ofCycle.filter(({ state }) => state === 'waiting' || state === 'scheduled');
    assert.ok(open.length <= 1, `two charges of cycle ${cycle} can be paid`);
    assertRetries(ofCycle);
  }
  const all = [...attempts.values()].flat();
  assert.ok(!all.some(({ statusBefore }) => isClosed(statusBefore)), 'a canceled subscription was charged');
  assertDueDates(all);
  assert.ok(billing.credit_centavos >= 0, 'the credit is below 0');
  const paid = [...invoices.values()].filter(({ status }) => status === 'paid').length;
  assert.equal(paid, billing.paidCycles, 'the number of paid cycles is that of the paid invoices');
}

/** A new mandate on an overdue cycle begins anew. */
function assertRetries(ofCycle: readonly EngineAttempt[]): void {
  const byMandate = ofCycle.filter(isMade);
  for (const tries of Map.groupBy(byMandate, ({ means }) => means).values()) {
    assert.ok(tries.length <= 1 + RETRIES, 'a charge by a mandate was retried more than 3 times');
    const days = tries.map(({ dueOn }) => dueOn).sort();
    assert.ok(daysBetween(days[0]!, days.at(-1)!) <= RETRY_DAYS, 'it was retried after 7 days');
  }
}

/** At most one charge by a mandate is due on a day. */
function assertDueDates(all: readonly EngineAttempt[]): void {
  const days = all.filter(isMade).map(({ dueOn }) => dueOn);
  assert.equal(
    new Set(days).size,
    days.length,
    `two charges by a mandate have one due date: ${days.join(' ')}`,
  );
}

function isMade({ method, state, isUnsent }: EngineAttempt): boolean {
  return method === 'pix_recurring' && state !== 'canceled' && !isUnsent;
}
