/**
 * A capture, void or cancellation whose outcome is not known is part of the payment's state, unseen by the merchant.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { findPayment } from '../../../db/payments/payments.ts';
import { stateOf } from '../../../domain/payments/payment-state.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { TestAnswer } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

async function state(id: string): Promise<string> {
  return stateOf((await findPayment(service.deps.db, shop.onboarded.merchant, id))!);
}

const UNDER_WAY = 'A capture or cancellation of this payment is in progress.';

const sentence = (answer: TestAnswer) => JSON.stringify(answer.body);

const cases = [
  ['a capture', 'capture', () => shop.authorized(), (id: string) => shop.capture(id), 'paid'],
  ['a void', 'void', () => shop.authorized(), (id: string) => shop.cancel(id), 'canceled'],
  ['a cancellation', 'cancel', () => shop.pixPayment(), (id: string) => shop.cancel(id), 'canceled'],
] as const;

for (const [what, operation, place, request, end] of cases) {
  describe(what, () => {
    test('is pending until the acquirer answers, and changes nothing that the merchant sees', async () => {
      const { id } = await place();
      const before = await shop.payment(id);
      let during: unknown[] = [];
      const spy = service.intercept((real) => ({
        perform: async (command) => {
          during = [await state(id), await shop.payment(id), (await shop.events(id)).length];
          return real.perform(command);
        },
      }));
      const events = (await shop.events(id)).length;
      assert.equal((await request(id)).body.status, end);
      spy.undo();
      assert.deepEqual(during, [`${operation}_requested`, before, events]);
      assert.equal(await state(id), end);
    });

    test('refuses a second operation while the first is pending', async () => {
      const { id } = await place();
      const answers: TestAnswer[] = [];
      const spy = service.intercept((real) => ({
        perform: async (command) => {
          answers.push(await shop.cancel(id));
          if (operation !== 'cancel') answers.push(await shop.capture(id));
          return real.perform(command);
        },
      }));
      assert.equal((await request(id)).body.status, end);
      spy.undo();
      assert.ok(answers.length > 0);
      for (const answer of answers) {
        assertRefused(answer, 'status');
        assert.match(sentence(answer), new RegExp(UNDER_WAY));
      }
    });

    test('is unknown while its answer is lost, and then ends', async () => {
      const { id } = await place();
      assert.equal((await withLostAnswers(service, () => request(id))).body.status, 'processing');
      assert.equal(await state(id), `${operation}_unknown`);
      assertRefused(await request(id), 'status');
      assert.equal(await reconcile(service), 1);
      assert.equal(await state(id), end);
    });
  });
}

test('fraud that is reported while a capture is pending refuses the payment, and the capture with it', async () => {
  const { id } = await shop.authorized();
  const reference = await shop.reference(id);
  const spy = service.intercept((real) => ({
    capture: async (command) => {
      assert.equal((await shop.trySimulate(reference, 'fraud')).kind, 'done');
      return real.perform(command);
    },
  }));
  assertRefused(await shop.capture(id), 'status');
  spy.undo();
  assert.equal(await state(id), 'refused');
});
