import assert from 'node:assert/strict';
import { merchantDay } from '../../../domain/local-time.ts';
import type { SandboxControl } from '../../../gateway/sandbox-control.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { reconcileDayOfMerchant } from '../../../services/payments/reconcile-day-of-merchant.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { fanOutEvents, sendDueEmails } from '../../support/run-jobs.ts';
import type { TestAnswer, TestService } from '../../support/service.ts';
import type { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import type { Entry, Journal } from './journal.ts';

/** Longer than the time-out of a request, and longer than a killed process holds an Idempotency-Key. */
const LATER_MS = 100_000;
/** The signatures of both sides are valid for five minutes. */
const MUCH_LATER_MS = 200_000;

/**
 * Settles everything that is open: the reconciler asks the acquirer for lost outcomes, each client repeats its
 * requests, and the acquirer sends its remaining notifications.
 */
export async function settle(
  service: TestService,
  control: SandboxControl,
  journal: Journal,
  shops: readonly Shop[],
): Promise<void> {
  await reconcile(service, LATER_MS);
  for (const entry of journal.entries) await repeat(service, journal, entry);
  await reconcile(service, MUCH_LATER_MS);
  for (const { account } of shops) {
    await settleLateRefunds(service, control, account);
    await until('every notification has arrived', async () => {
      await service.rows(
        'update simulator.notifications set next_attempt_at = :now where account = :account',
        {
          now: new Date(),
          account,
        },
      );
      await control.runDue(account, new Date());
      const waiting = await service.rows('select 1 from simulator.notifications where account = :account', {
        account,
      });
      return waiting.length === 0;
    });
  }
  assert.equal(await reconcile(service, MUCH_LATER_MS), 0, 'the reconciler has nothing left to do');
  // The leases of killed workers have ended by now.
  service.setAhead(MUCH_LATER_MS);
  await sendDueEmails(service.deps);
  await fanOutEvents(service.deps);
  await new DeliveryLoop(service.deps).runToEnd();
}

/** The acquirer completes or denies the refunds that it has not decided yet. */
async function settleLateRefunds(
  service: TestService,
  control: SandboxControl,
  account: string,
): Promise<void> {
  const open = await service.rows<{ reference: string }>(
    "select reference from refunds where merchant_id = :account and status = 'in_progress' order by reference",
    { account },
  );
  for (const [i, { reference }] of open.entries()) {
    const outcome = i % 2 === 0 ? 'refund_succeeded' : 'refund_denied';
    await control.simulate({ account, reference, outcome, reason: null, occurredAt: new Date() });
  }
}

/** A repeated request gets the first answer again, byte for byte; if the client got no answer, it gets one now. */
async function repeat(service: TestService, journal: Journal, entry: Entry): Promise<void> {
  const earlier = entry.answer;
  entry.answer = await journal.send(entry, service.url);
  assert.ok(entry.answer, `POST ${entry.path} has no answer after all has settled`);
  if (earlier === null) return;
  assert.deepEqual([entry.answer.status, entry.answer.text], [earlier.status, earlier.text], entry.path);
}

/**
 * Compares the answers that clients got with the database, the ledger, the acquirer's records and its settlement files.
 */
export async function assertAllAgree(
  service: TestService,
  journal: Journal,
  shops: readonly Shop[],
  startedAt: Date,
): Promise<void> {
  assert.deepEqual(journal.faults, []);
  const days = new Set([startedAt, new Date()].map(merchantDay));
  for (const shop of shops) {
    await assertAcquirerAgrees(service, shop.account);
    const { slot, merchantId } = shop.onboarded.merchant;
    for (const day of days) {
      assert.ok(await reconcileDayOfMerchant(service.deps, { slot, merchantId, day }));
    }
    assert.deepEqual(await discrepanciesOf(service, shop.account), [], 'the acquirer reported nothing false');
    const entries = journal.entries.filter((entry) => entry.shop.account === shop.account);
    await assertAnsweredOrders(service, shop, entries);
    await assertAnsweredRefunds(service, shop, entries);
    await assertAnsweredEvidence(service, shop, entries);
    await assertAnsweredStatuses(service, shop, entries);
  }
}

const succeeded = ({ answer }: Entry): boolean => answer !== null && answer.status < 300;
const answersOf = (entries: readonly Entry[], path: RegExp): TestAnswer[] =>
  entries.filter((entry) => path.test(entry.path) && succeeded(entry)).map(({ answer }) => answer!);

/** There is one order for each 201, with its amount, and no other. */
async function assertAnsweredOrders(service: TestService, { account }: Shop, entries: readonly Entry[]) {
  const rows = await service.rows<{ code: string; id: string; amount: number }>(
    `select order_code as code, id, amount_centavos as amount from payments
      where merchant_id = :account and payment_link_id is null`,
    { account },
  );
  const answered = answersOf(entries, /orders$/).map(({ body: { code, payment } }) => ({
    code,
    id: payment.id,
    amount: payment.amount,
  }));
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  assert.deepEqual(
    rows.map(({ code, id, amount }) => ({ code, id, amount })).sort(byId),
    answered.sort(byId),
  );
}

/**
 * Each 201 has one refund with its amount, and there are no others. A refund that an answer shows as succeeded has
 * succeeded.
 */
async function assertAnsweredRefunds(service: TestService, { account }: Shop, entries: readonly Entry[]) {
  const rows = await service.rows<{ id: string; amount_centavos: number; status: string }>(
    'select id, amount_centavos, status from refunds where merchant_id = :account',
    { account },
  );
  const refunds = new Map(rows.map((row) => [row.id, row]));
  const answered = answersOf(entries, /refunds$/);
  assert.equal(answered.length, refunds.size);
  for (const { body } of answered) {
    const refund = refunds.get(body.id);
    assert.equal(refund?.amount_centavos, body.amount);
    if (body.status !== 'in_progress') assert.equal(refund?.status, body.status);
  }
}

/** Each text with an answer was accepted, or refused later, once. No other text was accepted. */
async function assertAnsweredEvidence(service: TestService, { account }: Shop, entries: readonly Entry[]) {
  const rows = await service.rows<{ text: string; state: string }>(
    'select text, state from dispute_evidence where merchant_id = :account',
    { account },
  );
  const sent = entries.filter((entry) => /evidence$/.test(entry.path));
  const textsOf = (some: readonly Entry[]) => some.map(({ body }) => (body as { text: string }).text).sort();
  const answered = textsOf(sent.filter(succeeded));
  const settled = rows.filter(({ text, state }) => state === 'accepted' || answered.includes(text));
  assert.deepEqual(settled.map(({ text }) => text).sort(), answered);
  assert.deepEqual(
    rows.filter(({ state }) => state === 'pending'),
    [],
    'evidence without an outcome',
  );
}

/** Each status that an answer showed is in the payment's history. */
async function assertAnsweredStatuses(service: TestService, { account }: Shop, entries: readonly Entry[]) {
  const rows = await service.rows<{ id: string; history: { status: string }[] }>(
    'select id, history from payments where merchant_id = :account',
    { account },
  );
  const histories = new Map(rows.map(({ id, history }) => [id, history.map(({ status }) => status)]));
  const answered = [
    ...answersOf(entries, /orders$/).map(({ body }) => body.payment),
    ...answersOf(entries, /(capture|cancel)$/).map(({ body }) => body),
  ];
  for (const { id, status } of answered)
    assert.ok(histories.get(id)?.includes(status), `${id} was never ${status}`);
}
