import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { subjectOf } from '../../support/payments/outcomes.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);

beforeEach(() => service.setAhead(0));
afterEach(() => assertAcquirerAgrees(service, shop.account));

describe('an operation on a payment whose answer is lost', () => {
  test('a capture of a part: processing, then paid', async () => {
    const { id } = await shop.authorized('4000000000001190');
    const { status, body } = await withLostAnswers(service, () => shop.capture(id, 4_000));
    assert.deepEqual([status, body.status], [200, 'processing']);
    assertRefused(await shop.cancel(id), 'status');
    await reconcile(service);
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.captured_amount], ['paid', 4_000]);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.capture_confirmed');
  });

  test('a cancellation: processing, then canceled', async () => {
    const { id } = await shop.authorized('4000000000001232');
    const { body } = await withLostAnswers(service, () => shop.cancel(id));
    assert.equal(body.status, 'processing');
    await reconcile(service);
    assert.equal((await shop.payment(id)).status, 'canceled');
  });

  test('a refund: in progress, then succeeded', async () => {
    const { id } = await shop.cardPayment({ number: '4000000000001257' });
    const { status, body } = await withLostAnswers(service, () => shop.refund(id, 4_000));
    assert.deepEqual([status, body.status], [201, 'in_progress']);
    await reconcile(service);
    assert.equal((await shop.get(`/payments/${id}/refunds`)).data[0].status, 'succeeded');
    assert.equal((await shop.payment(id)).status, 'partially_refunded');
  });

  const unknown = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  const CASES = {
    'a capture': [(id: string) => shop.capture(id), 'paid', 'pre_authorized'],
    'a cancellation': [(id: string) => shop.cancel(id), 'canceled', 'pre_authorized'],
  } as const;
  for (const [what, [ask, done, before]] of Object.entries(CASES)) {
    test(`${what} that did not arrive is sent again`, async () => {
      const { id } = await shop.authorized();
      const spy = service.intercept(() => ({ capture: unknown, cancel: unknown }));
      assert.equal((await ask(id)).body.status, 'processing');
      spy.undo();
      await reconcile(service);
      assert.equal((await shop.payment(id)).status, done);
    });

    test(`${what} that did not arrive twice does not change the payment`, async () => {
      const { id } = await shop.authorized();
      const spy = service.intercept(() => ({ capture: unknown, cancel: unknown }));
      await ask(id);
      await reconcile(service);
      spy.undo();
      assert.equal((await shop.payment(id)).status, before);
      assert.match((await shop.eventNames(id)).at(-1)!, /^payment.(capture|cancel)_failed$/);
    });
  }

  test('a refund that did not arrive is sent again', async () => {
    const { id } = await shop.cardPayment();
    const spy = service.intercept(() => ({ refund: unknown }));
    await shop.refund(id);
    spy.undo();
    await reconcile(service);
    assert.equal((await shop.payment(id)).status, 'refunded');
  });

  test('a refund that did not arrive twice is denied, and its amount can be refunded again', async () => {
    const { id } = await shop.cardPayment();
    const spy = service.intercept(() => ({ refund: unknown }));
    await shop.refund(id);
    await reconcile(service);
    spy.undo();
    assert.equal((await shop.payment(id)).status, 'paid');
    assert.equal((await shop.refund(id)).body.amount, 10_000);
  });

  for (const kind of ['unknown', 'pending'] as const) {
    test(`a refusal that is notified before an answer of kind ${kind} does not lose the payment`, async () => {
      const { id } = await shop.authorized('4000000000001174');
      const spy = service.intercept((real) => ({
        capture: async (asked) => {
          const outcome = await real.perform(asked);
          assert.equal(outcome.kind, 'refused');
          const { amount_centavos } = asked;
          const report = notification(shop.account, asked.reference, 'capture.refused', { amount_centavos });
          assert.equal(await deliver(service, report), 204);
          const pending = { ...subjectOf(outcome), kind: 'pending', acquirerReference: 'acq_1' } as const;
          return kind === 'pending' ? pending : { kind, cause: 'time_out' };
        },
      }));
      const answer = await shop.capture(id);
      spy.undo();
      assertRefused(answer, 'status');
      assert.equal((await shop.payment(id)).status, 'pre_authorized');
      await reconcile(service);
      assert.equal((await shop.cancel(id)).body.status, 'canceled');
    });
  }
});
