/**
 * Each notification about a payment of each method has one effect, also if it comes twice, late or in another order.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR_MS } from '../../../domain/durations.ts';
import { NOTIFICATION_TYPES } from '../../../domain/payments/acquirer-notification.ts';
import { transfersOfMerchant } from '../../support/ledger/ledger-records.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { NotificationReplay } from '../../support/payments/notification-replay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { domainOf, verifiedDomain } from '../../support/wallet/wallet-shop.ts';
import { NOTIFIED_PAYMENTS, type NotifiedPayment } from './notified-payments.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
  await NotificationReplay.replace(service);
});
after(() => service.stop());

/** Types that are a second update with another id. */
const isDispute = (type: string) => type.startsWith('chargeback.');
const seen = new Set<string>();

async function deliverAll(replay: NotificationReplay, isReversed: boolean): Promise<void> {
  for (let round = 0; (await replay.deliverAll(isReversed)) > 0; round += 1) {
    assert.ok(round < 5, 'a notification is never accepted');
  }
}

interface Way {
  /** The events are the usual ones too, and not only the effect on money. */
  readonly isInOrder: boolean;
  deliver(replay: NotificationReplay): Promise<void>;
}

const EACH_ONCE: Way = { isInOrder: true, deliver: (replay) => deliverAll(replay, false) };
/** Other ways in which the notifications of a payment can come. */
const OTHER_WAYS: Readonly<Record<string, Way>> = {
  'each twice': {
    isInOrder: true,
    async deliver(replay) {
      for (const one of replay.waiting) {
        assert.deepEqual([await replay.send(one), await replay.send(one)], [204, 204], one.type);
      }
    },
  },
  'each again with another id': {
    isInOrder: true,
    async deliver(replay) {
      for (const one of replay.waiting) {
        assert.equal(await replay.send(one), 204, one.type);
        if (isDispute(one.type)) continue;
        assert.equal(await replay.send({ ...one, id: crypto.randomUUID() }), 204, one.type);
      }
    },
  },
  'newest first': { isInOrder: false, deliver: (replay) => deliverAll(replay, true) },
  'all at once, each twice': {
    isInOrder: false,
    async deliver(replay) {
      const twice = [...replay.waiting, ...replay.waiting];
      const statuses = await Promise.all(twice.map((one) => replay.send(one)));
      assert.ok(
        statuses.every((status) => status === 204 || status === 409),
        `${statuses}`,
      );
      await deliverAll(replay, false);
    },
  },
  'an hour late': {
    isInOrder: true,
    async deliver(replay) {
      replay.ahead_ms = HOUR_MS;
      service.setAhead(HOUR_MS);
      await deliverAll(replay, false);
    },
  },
};

interface Effect {
  readonly money: object;
  readonly events: readonly string[];
}

/** What became of a new payment whose notifications come in this way. */
async function effectOf(shop: Shop, { make, happens, status }: NotifiedPayment, way: Way): Promise<Effect> {
  service.setAhead(0);
  const replay = new NotificationReplay(service, shop.account);
  const deliver = async () => {
    await replay.collect();
    await deliverAll(replay, false);
  };
  const id = await make(shop, deliver);
  for (const step of happens) {
    await step(shop, id);
    await replay.collect();
  }
  assert.ok(replay.waiting.length > 0, 'nothing is notified');
  for (const { type } of replay.waiting) seen.add(type);
  await way.deliver(replay);
  const payment = await shop.payment(id);
  assert.equal(payment.status, status);
  const { captured_amount, refunded_amount, fee_amount } = payment;
  const ofMerchant = await transfersOfMerchant(service, shop.account);
  const transfers = ofMerchant.flatMap(({ paymentId, kind, debit, credit, amount_centavos }) =>
    paymentId === id ? [`${kind} ${debit} ${credit} ${amount_centavos}`] : [],
  );
  const { data: disputes } = await shop.get(`/disputes?payment_id=${id}`);
  return {
    money: {
      captured_amount,
      refunded_amount,
      fee_amount,
      transfers: transfers.sort(),
      disputes: disputes.map((dispute: { status: string; amount: number }) => [
        dispute.status,
        dispute.amount,
      ]),
    },
    events: await shop.eventNames(id),
  };
}

for (const method of new Set(NOTIFIED_PAYMENTS.map((one) => one.method))) {
  describe(`the notifications about a payment by ${method}`, () => {
    for (const notified of NOTIFIED_PAYMENTS.filter((one) => one.method === method)) {
      test(`${notified.story}: have one effect`, async () => {
        const shop = await Shop.open(service);
        if (method === 'browser_wallet') await verifiedDomain(shop, domainOf(shop));
        const usual = await effectOf(shop, notified, EACH_ONCE);
        for (const [name, way] of Object.entries(OTHER_WAYS)) {
          const effect = await effectOf(shop, notified, way);
          assert.deepEqual(effect.money, usual.money, name);
          if (way.isInOrder) assert.deepEqual(effect.events, usual.events, name);
        }
        assert.deepEqual(await discrepanciesOf(service, shop.account), []);
        await assertAcquirerAgrees(service, shop.account);
      });
    }
  });
}

test('these are all notifications that the simulated acquirer sends: it answers a refused capture at once', () => {
  const missing = NOTIFICATION_TYPES.filter((type) => !seen.has(type));
  assert.deepEqual(missing, ['capture.refused']);
});
