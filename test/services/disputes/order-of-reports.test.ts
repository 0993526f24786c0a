/** Two disputes of one payment, whose reports arrive in any order. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { SimulatedOutcome } from '../../../gateway/sandbox-control.ts';
import type { WireNotification } from '../../../gateway/wire.ts';
import { MINUTE_MS } from '../../support/clock-calls.ts';
import { assertLedgerAgrees } from '../../support/ledger/ledger-records.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { NotificationReplay } from '../../support/payments/notification-replay.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
  await NotificationReplay.replace(service);
});
after(() => service.stop());

/** Has the acquirer take these steps for a payment. Its reports wait. */
async function reportsOf(shop: Shop, id: string, outcomes: readonly SimulatedOutcome[]) {
  const [row] = await service.rows<{ reference: string }>('select reference from payments where id = :id', {
    id,
  });
  for (const outcome of outcomes) {
    await service.control.simulate({
      account: shop.account,
      reference: row!.reference,
      outcome,
      reason: null,
      occurredAt: new Date(),
    });
  }
  const replay = new NotificationReplay(service, shop.account);
  await replay.collect();
  return { replay, reports: replay.waiting };
}

/** Sends reports in this order, again and again while some of them are to be sent again later. */
async function sendAll(replay: NotificationReplay, reports: readonly WireNotification[]): Promise<void> {
  let left = reports;
  for (let round = 0; left.length > 0; round += 1) {
    assert.ok(round < reports.length, `never taken in: ${left.map(({ type }) => type)}`);
    const again: WireNotification[] = [];
    for (const report of left) {
      const status = await replay.send(report);
      assert.ok(status === 204 || status === 409, `${report.type}: ${status}`);
      if (status === 409) again.push(report);
    }
    left = again;
  }
}

function permutations<One>(all: readonly One[]): One[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));
}

for (const [end, status] of [
  ['lost', 'chargeback_lost'],
  ['won', 'paid'],
] as const) {
  describe(`a dispute that was won, and another one that is ${end}`, () => {
    const outcomes = [
      'chargeback_requested',
      'chargeback_won',
      'chargeback_requested',
      `chargeback_${end}`,
    ] as const;
    test('are recorded alike in whatever order their reports arrive, each twice', async () => {
      const shop = await Shop.open(service);
      for (const order of permutations([0, 1, 2, 3])) {
        const { id } = await shop.cardPayment({ amount: 10_000 });
        const { replay, reports } = await reportsOf(shop, id, outcomes);
        const inOrder = order.map((place) => reports[place]!);
        await sendAll(replay, inOrder);
        for (const report of inOrder)
          assert.equal(await replay.send({ ...report, id: `again-${report.id}` }), 204);
        const disputes = (await shop.get(`/disputes?payment_id=${id}`)).data;
        assert.deepEqual(
          [(await shop.payment(id)).status, ...disputes.map((dispute: { status: string }) => dispute.status)],
          [status, end, 'won'],
          order.join(),
        );
      }
      assert.deepEqual(await discrepanciesOf(service, shop.account), []);
      await assertLedgerAgrees(service, shop.account);
      await assertAcquirerAgrees(service, shop.account);
    });
  });
}

test('a dispute is recorded after ten minutes, although the one before was never reported', async (t) => {
  t.after(() => service.setAhead(0));
  const shop = await Shop.open(service);
  const { id } = await shop.cardPayment({ amount: 10_000 });
  const steps = [
    'chargeback_requested',
    'chargeback_won',
    'chargeback_requested',
    'chargeback_lost',
  ] as const;
  const { replay, reports } = await reportsOf(shop, id, steps);
  const [, , requested, lost] = reports;
  assert.equal(await replay.send(requested!), 409);
  for (const report of [requested!, lost!]) {
    replay.ahead_ms = 11 * MINUTE_MS;
    service.setAhead(replay.ahead_ms);
    assert.equal(await replay.send(report), 204);
  }
  assert.equal((await shop.payment(id)).status, 'chargeback_lost');
  const disputes = (await shop.get(`/disputes?payment_id=${id}`)).data;
  assert.deepEqual(
    disputes.map(({ status }: { status: string }) => status),
    ['lost'],
  );
  await assertLedgerAgrees(service, shop.account);
});

test('the other end of a dispute that has ended is a discrepancy, although another one is open', async () => {
  const shop = await Shop.open(service);
  const { id } = await shop.cardPayment({ amount: 10_000 });
  const steps = ['chargeback_requested', 'chargeback_won', 'chargeback_requested'] as const;
  const { replay, reports } = await reportsOf(shop, id, steps);
  await sendAll(replay, reports);
  const won = reports[1]!;
  assert.equal(await replay.send({ ...won, id: 'false', type: 'chargeback.lost' }), 204);
  const [found, ...others] = await discrepanciesOf(service, shop.account);
  assert.deepEqual([found!.reason, others], ['illegal_move', []]);
  assert.equal((await shop.payment(id)).status, 'chargeback_requested');
});
