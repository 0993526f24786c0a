/** Evidence whose request or answer is lost, or whose process dies before it has an outcome. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { DatabaseUnavailable } from '../../../services/refusal.ts';
import { advance, DAY_MS } from '../../support/clock-calls.ts';
import { commandsDuring, reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { type Json, startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const TEXT = 'Entregue em 24/11/2026.';
/** Longer than a request may work on its intent. */
const SOON_MS = 25_000;

let service: TestService;
let other: TestService;
let shop: Shop;
let dispute: Json;

before(async () => {
  service = await startTestService({ jobs: false });
  other = await startTestService({ beside: service, jobs: false });
});
after(async () => {
  await other.stop();
  await service.stop();
});
beforeEach(async () => {
  shop = await Shop.open(service);
  const { id } = await shop.cardPayment({ amount: 10_000 });
  await shop.simulate(id, 'chargeback_requested');
  dispute = (await shop.get(`/disputes?payment_id=${id}`)).data[0];
});
afterEach(() => {
  service.setAhead(0);
  other.setAhead(0);
});

const submit = (text = TEXT, key = 'k') => shop.post(`/disputes/${dispute.id}/evidence`, { text }, key);

/** No evidence reaches the acquirer. */
function loseRequests(of = service) {
  return of.intercept(() => ({ dispute_evidence: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
}

async function withLostRequests<Result>(ask: () => Promise<Result>): Promise<Result> {
  const lost = loseRequests();
  try {
    return await ask();
  } finally {
    lost.undo();
  }
}

/** The process dies after it has written the intent. */
async function withDeath(ask: () => Promise<TestAnswer>): Promise<void> {
  const died = service.intercept(() => ({
    dispute_evidence: async () => {
      throw new DatabaseUnavailable(new Error('the process dies'));
    },
  }));
  assert.equal((await ask()).status, 503);
  died.undo();
}

/** The status of the dispute, and its texts. */
async function shown(): Promise<readonly unknown[]> {
  const { status, evidence } = await shop.get(`/disputes/${dispute.id}`);
  return [status, evidence.map((each: Json) => each.text)];
}

/** The texts that the acquirer has. */
async function received(): Promise<string[]> {
  const rows = await service.rows<{ text: string }>(
    'select text from simulator.dispute_evidence where account = :account order by text',
    { account: shop.account },
  );
  return rows.map(({ text }) => text);
}

async function assertAcceptedOnce(): Promise<void> {
  assert.deepEqual(await shown(), ['dispute', [TEXT]]);
  assert.deepEqual(await received(), [TEXT]);
  assert.equal((await shop.payment(dispute.payment_id)).status, 'chargeback_dispute');
  const names = await shop.eventNames(dispute.payment_id);
  assert.equal(names.filter((name) => name === 'payment.chargeback_dispute').length, 1);
  await assertAcquirerAgrees(service, shop.account);
  assert.equal(await reconcile(other, 10 * 60_000), 0, 'nothing is left to settle');
}

function assertPending({ status, body, text }: TestAnswer): void {
  assert.equal(status, 200, text);
  assert.deepEqual([body.id, body.status, body.evidence], [dispute.id, 'requested', []]);
}

describe('the answer is lost after the acquirer has stored the evidence', () => {
  test('the answer is the dispute without it, and the reconciler adds it', async () => {
    const answer = await withLostAnswers(service, () => submit());
    assertPending(answer);
    assert.deepEqual(await received(), [TEXT]);
    assert.equal(await reconcile(other, SOON_MS), 1);
    await assertAcceptedOnce();
    const again = await submit();
    assert.deepEqual([again.status, again.text], [200, answer.text]);
    assert.deepEqual(await received(), [TEXT]);
  });

  test('and the dispute is decided before the outcome is known: it has the evidence, and stays decided', async () => {
    for (const end of ['won', 'lost'] as const) {
      const { id } = await shop.cardPayment({ amount: 10_000 });
      await shop.simulate(id, 'chargeback_requested');
      dispute = (await shop.get(`/disputes?payment_id=${id}`)).data[0];
      assertPending(await withLostAnswers(service, () => submit(TEXT, end)));
      await shop.simulate(id, `chargeback_${end}`);
      assert.equal(await reconcile(other, SOON_MS), 1);
      assert.deepEqual(await shown(), [end, [TEXT]]);
      await assertAcquirerAgrees(service, shop.account);
    }
  });
});

describe('the request is lost', () => {
  test('the reconciler sends it again under the same reference', async () => {
    assertPending(await withLostRequests(() => submit()));
    assert.deepEqual(await received(), []);
    assert.equal(await reconcile(other, SOON_MS), 1);
    await assertAcceptedOnce();
  });

  test('again and again until the acquirer has it', async () => {
    const lost = [loseRequests(), loseRequests(other)];
    await submit();
    assert.equal(await reconcile(other, SOON_MS), 1);
    assert.equal(await reconcile(other, 2 * SOON_MS), 1);
    for (const each of lost) each.undo();
    assert.deepEqual(await shown(), ['requested', []]);
    assert.equal(await reconcile(other, 3 * SOON_MS), 1);
    await assertAcceptedOnce();
  });

  test('it is not sent again when the dispute is decided meanwhile', async () => {
    await withLostRequests(() => submit());
    await shop.simulate(dispute.payment_id, 'chargeback_lost');
    assert.deepEqual(await commandsDuring(other, () => reconcile(other, SOON_MS)), []);
    assert.deepEqual(await shown(), ['lost', []]);
    assert.deepEqual(await received(), []);
    await assertAcquirerAgrees(service, shop.account);
    assert.equal(await reconcile(other, 10 * 60_000), 0);
  });

  test('it is not sent again for a dispute that the acquirer has decided before its report arrives', async () => {
    await withLostRequests(() => submit());
    const decide = (chargeback: string) =>
      service.rows(
        'update simulator.payments set chargeback = :chargeback where account = :account and amount_centavos > 0',
        { account: shop.account, chargeback },
      );
    await decide('lost');
    assert.equal(await reconcile(other, SOON_MS), 1);
    await decide('requested');
    assert.deepEqual(await shown(), ['requested', []]);
    assert.equal(await reconcile(other, 10 * 60_000), 0, 'it is refused');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('it is not sent after the deadline, even if its first request is still on its way', async () => {
    await withLostRequests(() => submit());
    service.setAhead(9 * DAY_MS);
    assert.deepEqual(await commandsDuring(other, () => reconcile(other, 9 * DAY_MS)), []);
    const [{ reference }] = (await service.rows<{ reference: string }>(
      'select reference from dispute_evidence where merchant_id = :account',
      { account: shop.account },
    )) as [{ reference: string }];
    const late = await service.deps.acquirer.perform({
      kind: 'dispute_evidence',
      reference,
      account: shop.account,
      requestedAt: new Date(),
      paymentReference: await shop.reference(dispute.payment_id),
      disputeReference: null,
      text: TEXT,
    });
    assert.equal(late.kind, 'refused');
    assert.deepEqual(await shown(), ['requested', []]);
    assert.deepEqual(await received(), []);
  });

  test('an advance of the clock settles it before its time is over', async () => {
    await withLostRequests(() => submit());
    service.setAhead(SOON_MS);
    const to = new Date(Date.parse(dispute.evidence_due_at) + DAY_MS).toISOString();
    const advanced = await advance(shop, { to });
    assert.deepEqual(
      advanced.steps.filter(({ step }: Json) => step === 'reconcile_dispute_evidence').length,
      1,
    );
    assert.deepEqual(await shown(), ['dispute', [TEXT]]);
    assert.deepEqual(await received(), [TEXT]);
  });

  test('it counts as one of the texts of the dispute', async () => {
    await withLostRequests(async () => {
      for (let i = 0; i < 5; i += 1) assertPending(await submit(`${i}`, `${i}`));
    });
    assertRefused(await submit(TEXT, '5'), 'status');
    assert.equal(await reconcile(other, SOON_MS), 5);
    assert.equal((await shop.get(`/disputes/${dispute.id}`)).evidence.length, 5);
  });
});

describe('the process dies before the call', () => {
  test('the reconciler sends the evidence', async () => {
    await withDeath(submit);
    assert.equal(await reconcile(other, SOON_MS), 1);
    await assertAcceptedOnce();
    const again = await submit();
    assert.deepEqual([again.status, again.body.evidence.length], [200, 1]);
  });

  test('the same request with the same key sends it', async () => {
    await withDeath(submit);
    const { status, body } = await submit();
    assert.deepEqual([status, body.status, body.evidence.length], [200, 'dispute', 1]);
    await assertAcceptedOnce();
  });

  test('the same request is refused if the dispute was decided meanwhile', async () => {
    await withDeath(submit);
    await shop.simulate(dispute.payment_id, 'chargeback_won');
    assertRefused(await submit(), 'status');
    assert.deepEqual(await shown(), ['won', []]);
    await assertAcquirerAgrees(service, shop.account);
  });
});

test('the caller of evidence that two processes send gets the outcome', async () => {
  const arrived = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const held = service.intercept((real) => ({
    dispute_evidence: async (command) => {
      arrived.resolve();
      await opened.promise;
      return real.perform(command);
    },
  }));
  const first = submit();
  await arrived.promise;
  assert.equal(await reconcile(other, SOON_MS), 1);
  opened.resolve();
  const { status, body } = await first;
  held.undo();
  assert.deepEqual([status, body.status, body.evidence.length], [200, 'dispute', 1]);
  await assertAcceptedOnce();
});

test('two texts at the same time, of which one is lost, are both accepted', async () => {
  const lost = service.intercept((real) => ({
    dispute_evidence: async (command) =>
      command.text === 'lost' ? { kind: 'unknown', cause: 'time_out' } : real.perform(command),
  }));
  const answers = await Promise.all([submit('lost', 'a'), submit('arrives', 'b')]);
  lost.undo();
  for (const { status, text } of answers) assert.equal(status, 200, text);
  assert.deepEqual(await shown(), ['dispute', ['arrives']]);
  assert.equal(await reconcile(other, SOON_MS), 1);
  assert.deepEqual(await shown(), ['dispute', ['arrives', 'lost']]);
  assert.deepEqual(await received(), ['arrives', 'lost']);
  const names = await shop.eventNames(dispute.payment_id);
  assert.equal(names.filter((name) => name === 'payment.chargeback_dispute').length, 1);
  await assertAcquirerAgrees(service, shop.account);
});

for (const isAccepted of [true, false]) {
  test(`evidence that an earlier version has written (isAccepted: ${isAccepted}) is shown once`, async () => {
    await withLostAnswers(service, () => submit());
    await service.rows(
      `update disputes d set evidence = jsonb_build_array(
         jsonb_build_object('id', e.id, 'text', text, 'createdAt', e.created_at, 'isAccepted', cast(:is as boolean)))
         from dispute_evidence e where e.dispute_id = d.id and d.id = :id`,
      { id: dispute.id, is: isAccepted },
    );
    assert.equal(await reconcile(other, SOON_MS), 1);
    assert.deepEqual(await shown(), ['dispute', [TEXT]]);
  });
}
