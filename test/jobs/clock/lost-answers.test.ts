import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../../gateway/acquirer.ts';
import { advance } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const ANSWER_LOST = '4000000000001117';
const REQUEST_LOST = '4000000000001125';

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
  for (const [what, number] of [
    ['answer', ANSWER_LOST],
    ['request', REQUEST_LOST],
  ] as const) {
    test(`does not wait for them (the ${what} is lost)`, async () => {
      const shop = await Shop.open(service);
      const { id }: Json = await subscribed(shop, { trial_days: 5 }, number);
      const got = await outcomesDuring(() => advance(shop, { days: 7 }));
      // No time-out of the service, which waits for seconds.
      assert.ok(got.length > 0);
      assert.deepEqual([...new Set(got)], ['status_504']);
      const { status, successful_charges } = await shop.get(`/subscriptions/${id}`);
      // A charge that the acquirer has not received for a day counts as refused.
      const expected = what === 'answer' ? ['active', 1] : ['past_due', 0];
      assert.deepEqual([status, successful_charges], expected);
      await assertAcquirerAgrees(service, shop.account);
    });
  }
});
