import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../../gateway/acquirer.ts';
import { assertAcquirerAgrees } from '../../support/acquirer-records.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscription-calls.ts';

const service = await sharedService({ jobs: false });

/** What the service gets of the acquirer for its commands while `work` runs. */
async function outcomesDuring(work: () => Promise<unknown>): Promise<string[]> {
  const outcomes: string[] = [];
  const spy = service.intercept((real) => ({
    perform: async (command) => {
      const outcome = await real.perform(command);
      outcomes.push(
        outcome.kind === 'unknown' ? (outcome as Outcome & { cause: string }).cause : outcome.kind,
      );
      return outcome;
    },
  }));
  await work().finally(spy.undo);
  return outcomes;
}

describe('an advance of the clock over charges whose answers are lost', () => {
  for (const [outcome, expected] of [
    ['time_out', 'active'],
    ['time_out_lost', 'active'],
  ] as const) {
    test(`does not wait for them (${outcome})`, async () => {
      const shop = await Shop.open(service);
      const { id, customer_id }: Json = await subscribed(shop);
      const outcomes = [{ operation: 'authorize', outcome }];
      await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
      const got = await outcomesDuring(() => advance(shop, { days: 32 }));
      // No time-out of the service, which waits for seconds.
      assert.equal(got[0], 'status_504');
      const { status, successful_charges } = await shop.get(`/subscriptions/${id}`);
      assert.deepEqual([status, successful_charges], [expected, 2]);
      await assertAcquirerAgrees(service, shop.account);
    });
  }
});
