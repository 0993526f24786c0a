import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { returnResult } from '../../../services/deps.ts';
import { authenticate } from '../../../services/merchants/authenticate.ts';
import { simulatePayment } from '../../../services/sandbox/simulate-payment.ts';
import { advance, clockNow } from '../../support/clock-calls.ts';
import { mandateOf, requestMandate } from '../../support/payments/mandates.ts';
import { simulate, simulated } from '../../support/payments/simulate-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { created, Shop, statusesOf } from '../../support/shop.ts';

const APPROVED_LATE = '4000000000001133';
const CANCELED_LATE = '4000000000001216';
const REFUNDED_LATE = '4000000000007726';

const { service, shop } = await sharedShop();

describe('200', () => {
  test('a Pix is paid', async () => {
    const { id } = await shop.pixPayment(7_500);
    const { status, captured_amount, pix } = await simulated(shop, id, 'paid');
    assert.deepEqual([status, captured_amount], ['paid', 7_500]);
    assert.match(pix.end_to_end_id, /^E\d{20}[0-9A-Za-z]{11}$/);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.updated');
  });

  test('a Pix is refused, with a given reason or the default one', async () => {
    const [usual, named] = [await shop.pixPayment(), await shop.pixPayment()];
    assert.equal((await simulated(shop, usual.id, 'refused')).refusal.code, 'processing_error');
    const { status, refusal } = await simulated(shop, named.id, 'refused', 'account_closed');
    assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', 'account_closed', false]);
    assert.equal((await shop.eventNames(named.id)).at(-1), 'payment.refused');
  });

  test('a Pix expires early, at the current time of the merchant’s clock', async () => {
    const other = await Shop.open(service);
    await advance(other, { days: 20 });
    const { id, pix } = await other.pixPayment();
    const before = await clockNow(other);
    const { body } = await other.post(`/sandbox/payments/${id}/simulate`, { outcome: 'expired' });
    assert.equal(body.status, 'expired');
    const at = Date.parse(body.updated_at);
    assert.ok(at >= before && at < Date.parse(pix.expires_at));
    // Its own expiry finds nothing left to do.
    assert.equal((await advance(other, { days: 1 })).counts.steps, 0);
    assert.equal((await other.eventNames(id)).filter((name) => name === 'payment.expired').length, 1);
  });

  test('an open authorization is approved, refused or rejected as fraud', async () => {
    const late = async () => {
      const payment = await shop.cardPayment({ number: APPROVED_LATE });
      assert.equal(payment.status, 'processing');
      return payment.id;
    };
    const paid = await simulated(shop, await late(), 'paid');
    assert.deepEqual(statusesOf(paid), ['processing', 'AUTHORIZED', 'paid']);
    const refused = await simulated(shop, await late(), 'refused', 'insufficient_funds');
    assert.deepEqual([refused.status, refused.refusal.code], ['refused', 'insufficient_funds']);
    const fraud = await simulated(shop, await late(), 'fraud');
    assert.deepEqual([fraud.status, fraud.refusal.code], ['refused', 'fraud']);
    assert.deepEqual((await shop.eventNames(fraud.id)).slice(-2), [
      'payment.fraud_detected',
      'payment.refused',
    ]);
  });

  test('a mandate is rejected, with AP13 by default, and its first charge is refused with it', async () => {
    for (const reason of [undefined, 'AP14', 'AC05']) {
      const id = await requestMandate(shop, { amount_centavos: 4_990 });
      const { status, refusal } = await simulated(shop, id, 'refused', reason);
      assert.deepEqual([status, refusal.code, refusal.retryable], ['refused', reason ?? 'AP13', false]);
      assert.equal((await mandateOf(shop, id)).state, 'rejected');
      assert.equal((await shop.eventNames(id)).at(-1), 'payment.refused');
    }
  });

  test('an authorization without a capture is suspected of fraud, or canceled', async () => {
    const suspected = await simulated(shop, (await shop.authorized()).id, 'fraud', 'fraud');
    assert.deepEqual([suspected.status, suspected.refusal.code], ['refused', 'fraud']);
    const canceled = await simulated(shop, (await shop.authorized()).id, 'cancel_confirmed');
    assert.equal(canceled.status, 'canceled');
    assert.deepEqual((await shop.eventNames(canceled.id)).slice(-2), [
      'payment.canceled',
      'payment.cancel_confirmed',
    ]);
  });

  test('a cancellation in progress is confirmed', async () => {
    const { id } = await shop.authorized(CANCELED_LATE);
    assert.equal((await shop.cancel(id)).body.status, 'processing');
    assert.equal((await simulated(shop, id, 'cancel_confirmed')).status, 'canceled');
    const open = await service.rows(
      `select 1 from payment_operations where payment_id = :id and state = 'pending'`,
      { id },
    );
    assert.deepEqual(open, []);
  });

  test('the newest refund in progress succeeds or is denied', async () => {
    const { id } = await shop.cardPayment({ number: REFUNDED_LATE, amount: 10_000 });
    const first = await created(shop.refund(id, 3_000));
    const second = await created(shop.refund(id, 2_000));
    const denied = await simulated(shop, id, 'refund_denied');
    assert.deepEqual([denied.status, denied.refunded_amount], ['refund_in_progress', 0]);
    const succeeded = await simulated(shop, id, 'refund_succeeded');
    assert.deepEqual([succeeded.status, succeeded.refunded_amount], ['partially_refunded', 3_000]);
    const { data } = await shop.get(`/payments/${id}/refunds`);
    assert.deepEqual(
      data.map((refund: Json) => [refund.id, refund.status]),
      [
        [second.id, 'denied'],
        [first.id, 'succeeded'],
      ],
    );
  });

  test('a chargeback is requested, disputed, and won or lost', async () => {
    const [won, lost] = [await shop.cardPayment(), await shop.pixPayment()];
    await simulated(shop, lost.id, 'paid');
    for (const { id } of [won, lost]) {
      assert.equal((await simulated(shop, id, 'chargeback_requested')).status, 'chargeback_requested');
      assert.equal((await simulated(shop, id, 'chargeback_dispute')).status, 'chargeback_dispute');
    }
    assert.equal((await simulated(shop, won.id, 'chargeback_won')).status, 'paid');
    assert.equal((await simulated(shop, lost.id, 'chargeback_lost')).status, 'chargeback_lost');
    assert.deepEqual((await shop.eventNames(won.id)).slice(-3), [
      'payment.chargeback_requested',
      'payment.chargeback_dispute',
      'payment.chargeback_dispute',
    ]);
  });

  test('the id of the payment can be in upper case', async () => {
    const { id } = await shop.pixPayment();
    assert.equal((await simulate(shop, id.toUpperCase(), { outcome: 'paid' })).body.status, 'paid');
  });

  test('the change arrives as a signed notification, and is applied before the answer', async () => {
    const { id } = await shop.pixPayment();
    const notifications = () => service.log.filter(({ message }) => message === 'notification').length;
    const before = notifications();
    await simulated(shop, id, 'paid');
    assert.equal(notifications(), before + 1);
    const { fields } = service.log.filter(({ message }) => message === 'notification').at(-1)!;
    assert.deepEqual([fields.type, fields.applied], ['pix.paid', 'applied']);
  });

  test('a repeated Idempotency-Key gets the same answer, and has one effect', async () => {
    const { id } = await shop.pixPayment();
    const first = await simulate(shop, id, { outcome: 'paid' }, 'simulate-1');
    const again = await simulate(shop, id, { outcome: 'paid' }, 'simulate-1');
    assert.deepEqual([first.status, again.status, again.text], [200, 200, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  test('a repeated request has one effect, also if the first run was killed before its answer', async () => {
    const payment = await shop.cardPayment();
    await simulated(shop, payment.id, 'chargeback_requested');
    const { merchant } = await authenticate(service.deps, shop.onboarded.apiKey);
    const id = uuidV7(Date.now(), service.deps.random);
    const asked = { id, paymentIdentifier: payment.id, outcome: 'chargeback_dispute' as const, reason: null };
    const dies = async () => assert.fail('dead');
    await assert.rejects(simulatePayment(service.deps, merchant, { ...asked, isRerun: false }, dies));
    const again = await simulatePayment(service.deps, merchant, { ...asked, isRerun: true }, returnResult);
    assert.equal(again.status, 'chargeback_dispute');
    const disputes = (await shop.eventNames(payment.id)).filter(
      (name) => name === 'payment.chargeback_dispute',
    );
    assert.equal(disputes.length, 1);
    // What happened before the request is none of its doing.
    const next = { ...asked, id: uuidV7(Date.now() + 1_000, service.deps.random), isRerun: true };
    await simulatePayment(service.deps, merchant, next, returnResult);
    assert.equal((await shop.events(payment.id)).length, 6);
  });
});
