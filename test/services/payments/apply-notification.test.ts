import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { NotificationType } from '../../../domain/payments/acquirer-notification.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let pix: Json;
let reference: string;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  pix = await shop.pixPayment();
  reference = await shop.reference(pix.id);
});

const E2E = 'E99999004202611212107abcdefghijk';
const paidBy = (of = reference) =>
  notification(shop.account, of, 'pix.paid', { amount_centavos: 5_000, end_to_end_id: E2E });
const statusOf = async (id = pix.id) => (await shop.payment(id)).status;

describe('the signature of a notification', () => {
  test('is valid: 204', async () => {
    assert.equal(await deliver(service, paidBy()), 204);
    const payment = await shop.payment(pix.id);
    assert.deepEqual(
      [payment.status, payment.captured_amount, payment.pix.end_to_end_id],
      ['paid', 5_000, E2E],
    );
  });

  test('is wrong: 401, and nothing changes', async () => {
    const report = paidBy();
    const other = await service.newMerchant();
    const forged = `t=${Date.now()},v1=${'0'.repeat(64)}`;
    const WRONG = [
      { signature: '' },
      { signature: forged },
      { signature: 'v1=x' },
      { body: JSON.stringify({ ...report, account: other.merchant.merchantId }) },
      { body: `${JSON.stringify(report)} ` },
      { age_ms: 6 * 60_000 },
      { age_ms: -6 * 60_000 },
    ];
    for (const delivery of WRONG) assert.equal(await deliver(service, report, delivery), 401);
    assert.equal(await statusOf(), 'waiting_payment');
  });

  test('is valid, but the body is malformed: 401', async () => {
    for (const nonsense of [
      { type: 'pix.stolen' },
      { id: '' },
      { occurred_at: 'x' },
      { amount_centavos: -1 },
      { amount_centavos: 0.5 },
    ]) {
      const logged = service.log.length;
      assert.equal(await deliver(service, { ...paidBy(), ...(nonsense as object) }), 401);
      const [line] = service.log.slice(logged).filter(({ level }) => level === 'error');
      assert.equal(line?.message, 'a signed notification cannot be read');
    }
    assert.equal(await statusOf(), 'waiting_payment');
  });

  test('is valid, but the reference is unknown or of another account: 404', async () => {
    const other = await service.newMerchant();
    for (const unknown of ['a'.repeat(32), `zz${reference.slice(2)}`, '!', `${reference}x`]) {
      const logged = service.log.length;
      const report = paidBy(unknown);
      assert.equal(await deliver(service, report), 404);
      const errors = service.log.slice(logged).filter(({ level }) => level === 'error');
      assert.deepEqual(
        errors.map(({ message, fields }) => [message, fields]),
        [
          [
            'a notification carries an unknown reference',
            { notification_id: report.id, account: shop.account, reference: unknown, type: 'pix.paid' },
          ],
        ],
      );
    }
    const logged = service.log.length;
    const report = { ...paidBy(), account: other.merchant.merchantId };
    assert.equal(await deliver(service, report), 404);
    assert.equal(await statusOf(), 'waiting_payment');
    const [line] = service.log.slice(logged).filter(({ level }) => level === 'error');
    assert.equal(line?.message, 'a notification names another account than its reference');
    assert.deepEqual(line.fields, {
      merchant_id: shop.account,
      payment_id: pix.id,
      notification_id: report.id,
      account: other.merchant.merchantId,
    });
  });
});

describe('a transfer that the acquirer reports for two payments', () => {
  let other: Json;
  let otherReport: ReturnType<typeof paidBy>;
  beforeEach(async () => {
    other = await shop.pixPayment();
    otherReport = paidBy(await shop.reference(other.id));
  });
  const reasons = async () => (await discrepanciesOf(service, shop.account)).map(({ reason }) => reason);

  test('pays the first one; the second report is a discrepancy', async () => {
    assert.equal(await deliver(service, paidBy()), 204);
    assert.equal(await deliver(service, otherReport), 204);
    assert.deepEqual([await statusOf(), await statusOf(other.id)], ['paid', 'waiting_payment']);
    assert.deepEqual(await reasons(), ['transfer_reused']);
  });

  test('pays one of them if both reports arrive at once', async () => {
    const reports = [paidBy(), otherReport];
    await Promise.all(reports.map((report) => deliver(service, report)));
    // The acquirer sends again what was not accepted.
    for (const report of reports) assert.equal(await deliver(service, report), 204);
    const statuses = [await statusOf(), await statusOf(other.id)];
    assert.deepEqual(statuses.sort(), ['paid', 'waiting_payment']);
    assert.deepEqual(await reasons(), ['transfer_reused']);
  });

  test('is not added to a payment that was paid by an unknown transfer', async () => {
    await deliver(service, { ...otherReport, end_to_end_id: null });
    await deliver(service, paidBy());
    assert.equal(await deliver(service, { ...otherReport, id: randomUUID() }), 204);
    assert.equal((await shop.payment(other.id)).pix.end_to_end_id, null);
    assert.deepEqual(await reasons(), ['transfer_reused']);
  });
});

describe('repeated and early notifications', () => {
  test('ten times at once and once more a day later have one effect', async () => {
    const report = paidBy();
    const statuses = await Promise.all(Array.from({ length: 10 }, () => deliver(service, report)));
    assert.deepEqual(new Set(statuses), new Set([204]));
    assert.equal(await deliver(service, report), 204);
    assert.equal((await shop.eventNames(pix.id)).length, 3);
  });

  test('a later notification can add the transfer of a Pix', async () => {
    await deliver(service, { ...paidBy(), end_to_end_id: null });
    assert.deepEqual((await shop.payment(pix.id)).pix.end_to_end_id, null);
    const events = await shop.eventNames(pix.id);
    assert.equal(await deliver(service, paidBy()), 204);
    const payment = await shop.payment(pix.id);
    assert.deepEqual([payment.status, payment.pix.end_to_end_id], ['paid', E2E]);
    assert.deepEqual(await shop.eventNames(pix.id), [...events, 'payment.updated']);
    assert.deepEqual((await shop.events(pix.id)).at(-1)!.data, payment);
    assert.equal(await deliver(service, { ...paidBy(), id: randomUUID() }), 204);
    await deliver(service, { ...paidBy(), end_to_end_id: 'E2' });
    assert.deepEqual(await shop.payment(pix.id), payment);
    assert.deepEqual(await shop.eventNames(pix.id), [...events, 'payment.updated']);
    const found = await discrepanciesOf(service, shop.account);
    assert.deepEqual(
      found.map(({ reason }) => reason),
      ['paid_twice'],
    );
  });

  test('a won chargeback is opened again only by a later request, not by a copy of the first', async () => {
    const { id } = await shop.cardPayment();
    const of = await shop.reference(id);
    const send = (type: NotificationType, occurred_at: string) =>
      deliver(service, notification(shop.account, of, type, { amount_centavos: 10_000, occurred_at }));
    const requestedAt = new Date().toISOString();
    await send('chargeback.requested', requestedAt);
    await send('chargeback.won', new Date().toISOString());
    const won = await shop.payment(id);
    assert.equal(won.status, 'paid');
    assert.equal(await send('chargeback.requested', requestedAt), 204);
    assert.deepEqual(await shop.payment(id), won);
    assert.deepEqual(await discrepanciesOf(service, shop.account), []);
    assert.equal(await send('chargeback.requested', new Date(Date.now() + 1_000).toISOString()), 204);
    assert.equal(await statusOf(id), 'chargeback_requested');
  });

  test('two with different ids have one effect', async () => {
    await Promise.all([deliver(service, paidBy()), deliver(service, paidBy())]);
    assert.deepEqual(statusesOf(await shop.payment(pix.id)), ['processing', 'waiting_payment', 'paid']);
    assert.equal((await shop.eventNames(pix.id)).length, 3);
  });

  test('each step of a dispute has one event, however often its notification arrives', async () => {
    const { id } = await shop.cardPayment();
    const of = await shop.reference(id);
    const ofDispute = (type: NotificationType) =>
      notification(shop.account, of, type, { amount_centavos: 10_000 });
    await deliver(service, ofDispute('chargeback.requested'));
    const news = ofDispute('chargeback.dispute');
    await Promise.all(Array.from({ length: 5 }, () => deliver(service, news)));
    await deliver(service, news);
    await deliver(service, ofDispute('chargeback.dispute'));
    assert.deepEqual((await shop.eventNames(id)).slice(3), [
      'payment.chargeback_requested',
      'payment.chargeback_dispute',
      'payment.chargeback_dispute',
    ]);
  });

  for (const [what, inquired, later] of [
    ['is applied, with the details of an inquiry', undefined, []],
    [
      'is applied, and the answer adds its details',
      { kind: 'unknown', cause: 'time_out' },
      ['payment.updated'],
    ],
  ] as const) {
    test(`one before our commit ${what}`, async () => {
      const spy = service.intercept((real) => ({
        inquire: async (inquiry) => inquired ?? real.inquire(inquiry),
        authorize: async (asked) => {
          const outcome = await real.perform(asked);
          const { amount_centavos } = asked;
          const report = notification(shop.account, asked.reference, 'authorization.approved', {
            amount_centavos,
          });
          assert.equal(await deliver(service, report), 204);
          return outcome;
        },
      }));
      const payment = await shop.cardPayment();
      spy.undo();
      assert.equal(payment.status, 'paid');
      assert.match(payment.credit_card.authorization_code, /^\d{6}$/);
      const events = await shop.events(payment.id);
      assert.deepEqual(
        events.map(({ event }) => event),
        ['payment.created', 'payment.authorized', 'payment.updated', ...later],
      );
      assert.deepEqual(events.at(-1)!.data, payment);
    });
  }

  test('one before our commit of a Pix charge is refused, and applied when it is sent again', async () => {
    const early: number[] = [];
    const spy = service.intercept((real) => ({
      pix_charge: async (asked) => {
        const outcome = await real.perform(asked);
        const fields = { method: 'pix', amount_centavos: asked.amount_centavos } as const;
        for (const type of ['pix.expired', 'chargeback.requested'] as const) {
          early.push(await deliver(service, notification(shop.account, asked.reference, type, fields)));
        }
        return outcome;
      },
    }));
    const payment = await shop.pixPayment();
    spy.undo();
    assert.deepEqual(early, [409, 409]);
    assert.equal(payment.status, 'waiting_payment');
  });

  test('the acquirer sends each notification of card …1158 twice, the first before the answer', async () => {
    const { id } = await shop.authorized('4000000000001158');
    assert.equal((await shop.capture(id, 6_000)).body.status, 'paid');
    assert.equal((await shop.refund(id, 1_000)).body.status, 'succeeded');
    const payment = await shop.payment(id);
    assert.deepEqual(
      [payment.status, payment.captured_amount, payment.refunded_amount],
      ['partially_refunded', 6_000, 1_000],
    );
    assert.match(payment.credit_card.authorization_code, /^\d{6}$/);
    assert.deepEqual(await shop.eventNames(id), [
      'payment.created',
      'payment.pre_authorized',
      'payment.authorized',
      'payment.capture_confirmed',
      'payment.refund_in_progress',
      'payment.refunded',
    ]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('a refund that was notified has no second event after its answer', async () => {
    const payment = await shop.cardPayment();
    const spy = service.intercept((real) => ({
      refund: async (asked) => {
        const outcome = await real.perform(asked);
        const { amount_centavos } = asked;
        const report = notification(shop.account, asked.reference, 'refund.approved', { amount_centavos });
        assert.deepEqual(await Promise.all([deliver(service, report), deliver(service, report)]), [204, 204]);
        return outcome;
      },
    }));
    const { body } = await shop.refund(payment.id, 4_000);
    spy.undo();
    assert.equal(body.status, 'succeeded');
    assert.equal((await shop.payment(payment.id)).refunded_amount, 4_000);
    await assertAcquirerAgrees(service, shop.account);
  });
});
