/** Evidence without an outcome when the clock is advanced: it is settled before its time is over. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { SECOND_MS } from '../../../domain/durations.ts';
import { advance, DAY_MS, stepNames } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { askInVain } from '../../support/payments/outages.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

/** Longer than a request may work on its intent. */
const SOON_MS = 25 * SECOND_MS;

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

async function disputed(): Promise<Json> {
  const { id } = await shop.cardPayment({ amount: 10_000 });
  await shop.simulate(id, 'chargeback_requested');
  return (await shop.get(`/disputes?payment_id=${id}`)).data[0];
}

async function submit({ id }: Json, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    const { status, text: answer } = await shop.post(`/disputes/${id}/evidence`, { text });
    assert.equal(status, 200, answer);
  }
}

function loseRequests() {
  return service.intercept(() => ({
    dispute_evidence: async () => ({ kind: 'unknown', cause: 'time_out' }),
  }));
}

/** Over the time for evidence. Returns how many texts it settled. */
async function advanceOver({ evidence_due_at }: Json): Promise<number> {
  const to = new Date(Date.parse(evidence_due_at) + DAY_MS).toISOString();
  const names = stepNames(await advance(shop, { to }));
  return names.filter((name) => name === 'reconcile_dispute_evidence').length;
}

test('after an outage, although its next inquiry is later', async () => {
  const dispute = await disputed();
  const lost = loseRequests();
  await submit(dispute, 'x');
  await askInVain(service, shop, 'dispute_evidence');
  lost.undo();
  assert.equal(await advanceOver(dispute), 1);
  assert.equal((await shop.get(`/disputes/${dispute.id}`)).evidence.length, 1);
  await assertAcquirerAgrees(service, shop.account);
});

test('all of it, also more than one round', async () => {
  const disputes: Json[] = [];
  for (let i = 0; i < 5; i += 1) disputes.push(await disputed());
  const lost = loseRequests();
  for (const dispute of disputes) await submit(dispute, 'a', 'b', 'c', 'd', 'e');
  lost.undo();
  service.setAhead(SOON_MS);
  assert.equal(await advanceOver(disputes[0]!), 25);
  for (const { id } of disputes) assert.equal((await shop.get(`/disputes/${id}`)).evidence.length, 5);
  await assertAcquirerAgrees(service, shop.account);
});
