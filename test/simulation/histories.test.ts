import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { SimulatedOutcome } from '../../gateway/sandbox-control.ts';
import { withoutLedger } from '../support/ledger/without-ledger.ts';
import { companyBody } from '../support/orders/parties.ts';
import { loseAnswers, reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../support/payments/discrepancies.ts';
import { deliver, notification } from '../support/payments/notifications.ts';
import { postMissingEntries, runPaymentSteps } from '../support/run-jobs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../support/wallet/wallet-shop.ts';
import { type History, histories, MAX_SHARES, type SplitShare, type Step } from './histories.ts';

/**
 * Random histories of one payment. Requests of the merchant, acts of the payer, and answers of the acquirer, which can
 * be lost or repeated, come in any order and partly at the same time. Our records and the acquirer's must agree to the
 * centavo.
 */
const HISTORIES = Number(process.env.HISTORIES ?? 100);
/** The same in each run, so that a change is judged by what it changed. SEED=… runs others. */
const SEED = Number(process.env.SEED ?? 20_261_129);

let service: TestService;
/** How far our clock is ahead; the acquirer's signatures may be five minutes off. */
let ahead_ms = 0;
/** How many of the payments were older than the ledger. */
let older = 0;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

/** Runs a history, then settles everything that is open. */
async function live(shop: Shop, history: History): Promise<void> {
  const { order, split, losesAnswer, steps, stepsBeforeLedger } = history;
  ahead_ms = 0;
  service.setAhead(0);
  const body = await orderBody(shop, order);
  const shared = {
    ...body,
    payment: { ...body.payment, split: splitOf(split, body.payment.amount) },
  };
  const { payment } = await callLosingAnswer(losesAnswer, () =>
    created(shop.post('/charges/orders', shared)),
  );
  const reference = await shop.reference(payment.id);
  for (const [i, together] of steps.entries()) {
    if (i === stepsBeforeLedger) {
      await withoutLedger(shop);
      older += 1;
    }
    await Promise.all(together.map((one) => take(shop, payment.id, reference, payment.amount, one)));
  }
  await wait(shop, 20 * 86_400, 100_000);
  await settleOpen(100_000);
  await redeliver(shop.account);
  await postMissingEntries(service.deps);
}

async function orderBody(shop: Shop, order: History['order']) {
  if ('chargeAmount' in order) {
    return order.method === 'pix'
      ? shop.pixOrderBody(order.chargeAmount)
      : shop.bankSlipOrderBody(order.chargeAmount);
  }
  if ('walletNumber' in order) {
    const { walletNumber: number, amount, capture, captureDelay_hours } = order;
    const isDelayed = capture && captureDelay_hours !== null;
    const block = isDelayed ? { capture_delay_hours: captureDelay_hours } : { capture };
    return walletOrderBody(shop, { number, amount, domain: domainOf(shop) }, block);
  }
  const body = await shop.cardOrderBody(order);
  if (!order.isDebit) return body;
  const { amount, credit_card } = body.payment;
  return {
    ...body,
    payment: { amount, payment_method: 'debit_card', debit_card: { id: credit_card.id } },
  };
}

/** The lines of a split. The recipients of the merchant are numbered from 1. */
function splitOf(shares: readonly SplitShare[], amount: number): object[] {
  return shares.map(({ percent, isFixed, bearsFee, takesRemainder, isLiable }, i) => ({
    recipient_id: i + 1,
    ...(isFixed && amount >= 100
      ? { type: 'fixed', amount: Math.floor((amount * percent) / 100) }
      : { type: 'percentage', amount: percent }),
    allow_charge_processing_fee: bearsFee,
    allow_charge_remainder_fee: takesRemainder,
    is_liable: isLiable,
  }));
}

async function openShop(): Promise<Shop> {
  const shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
  for (let i = 0; i < MAX_SHARES; i++) await created(shop.post('/recipients', companyBody()));
  return shop;
}

/** The reconciler runs this much later. Our clock never goes back. */
async function settleOpen(later_ms: number): Promise<void> {
  ahead_ms += later_ms;
  await reconcile(service, ahead_ms);
}

/**
 * Runs everything that is due by then. A report about an operation that is not complete here yet would be too early.
 */
async function wait(shop: Shop, seconds: number, open_ms = 2_000): Promise<void> {
  await settleOpen(open_ms);
  await service.control.runDue(shop.account, new Date(Date.now() + seconds * 1_000));
}

/** Reports that were answered with 409 are repeated at once, and not when the acquirer would repeat them. */
async function redeliver(account: string): Promise<void> {
  await until('every notification has arrived', async () => {
    await service.rows('update simulator.notifications set next_attempt_at = :now where account = :account', {
      now: new Date(),
      account,
    });
    await service.control.runDue(account, new Date());
    const waiting = await service.rows('select 1 from simulator.notifications where account = :account', {
      account,
    });
    return waiting.length === 0;
  });
}

async function callLosingAnswer<Result>(losesAnswer: boolean, ask: () => Promise<Result>): Promise<Result> {
  const lost = losesAnswer ? loseAnswers(service) : undefined;
  try {
    return await ask();
  } finally {
    lost?.undo();
  }
}

async function take(shop: Shop, id: string, reference: string, amount: number, step: Step): Promise<void> {
  switch (step.do) {
    case 'capture':
    case 'refund': {
      const part = step.share === null ? undefined : Math.max(1, Math.floor((amount * step.share) / 100));
      const { status, text } = await callLosingAnswer(step.losesAnswer, () => shop[step.do](id, part));
      assert.ok([200, 201, 422].includes(status), text);
      return;
    }
    case 'cancel': {
      const { status, text } = await callLosingAnswer(step.losesAnswer, () => shop.cancel(id));
      assert.ok([200, 422].includes(status), text);
      return;
    }
    case 'evidence':
      return sendEvidence(shop, id, step.losesAnswer);
    case 'simulate':
      await simulate(shop, id, reference, step.outcome);
      return;
    case 'wait':
      return wait(shop, step.seconds);
    case 'repeat':
      await repeatLast(shop);
      return;
    case 'reconcile':
      return settleOpen(2_000);
    case 'expire':
      // Its time has come: a charge expires, an authorization is voided.
      await service.rows('update payments set due_at = created_at where id = :id and due_at is not null', {
        id,
      });
      await runPaymentSteps(service.deps);
  }
}

/** Contests the latest dispute of the payment, if there is one. */
async function sendEvidence(shop: Shop, id: string, losesAnswer: boolean): Promise<void> {
  const [dispute] = (await shop.get(`/disputes?payment_id=${id}`)).data;
  if (dispute === undefined) return;
  const body = { text: 'Entregue em 24/12, com assinatura.' };
  const { status, text } = await callLosingAnswer(losesAnswer, () =>
    shop.post(`/disputes/${dispute.id}/evidence`, body),
  );
  assert.ok([200, 422].includes(status), text);
}

async function simulate(shop: Shop, id: string, reference: string, outcome: SimulatedOutcome): Promise<void> {
  const isRefund = outcome.startsWith('refund_');
  const [open] = isRefund
    ? await service.rows<{ reference: string }>(
        "select reference from refunds where payment_id = :id and status = 'in_progress'",
        { id },
      )
    : [{ reference }];
  if (open === undefined) return;
  const early = () => service.log.filter(({ fields }) => fields.applied === 'early').length;
  const known = early();
  let isOver = false;
  const happened = shop.trySimulate(open.reference, outcome).finally(() => {
    isOver = true;
  });
  await until('its notification has arrived', () => isOver || early() > known);
  if (isOver) await happened;
  else happened.catch(() => {});
}

/** Repeats the last accepted notification. */
async function repeatLast(shop: Shop): Promise<void> {
  const [last] = await service.rows<{ id: string; type: never; reference: string }>(
    `select id, type, reference from acquirer_notifications
      where merchant_id = :account and waiting_since is null order by received_at desc, id limit 1`,
    { account: shop.account },
  );
  if (last === undefined) return;
  const report = notification(shop.account, last.reference, last.type, { id: last.id });
  assert.equal(await deliver(service, report), 204);
}

/** How often the rarer things have happened. */
async function whatHappened(): Promise<string> {
  const [counts] = await service.rows<Record<string, number>>(`
    select (select count(*) from payments where history @> '[{"status": "expired"}, {"status": "paid"}]') as "paid late",
           (select string_agg(method || ' ' || n, ', ' order by method)
              from (select method, count(*) as n from payments group by method) m) as "payments by method",
           (select count(*) from refunds where status = 'succeeded') as refunds,
           (select count(*) from refunds where status = 'denied') as "denied refunds",
           (select count(*) from simulator.operations where kind = 'refund' and first_answer is not null) as "late refunds",
           (select count(*) from disputes) as disputes,
           (select count(*) from disputes where evidence <> '[]') as contested`);
  return Object.entries(counts!)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

test(`after each of ${HISTORIES} random histories our rows and the acquirer's records agree (SEED=${SEED})`, async (t) => {
  let shop = await openShop();
  let lived = 0;
  const agree = fc.asyncProperty(histories, async (one) => {
    lived += 1;
    // Each comparison reads all records of the merchant. It stays fast because the merchant is replaced from time to
    // time.
    if (lived % 20 === 0) shop = await openShop();
    await live(shop, one);
    await assertAcquirerAgrees(service, shop.account);
    assert.deepEqual(await discrepanciesOf(service, shop.account), [], 'the acquirer never lied');
  });
  await fc.assert(agree, { numRuns: HISTORIES, seed: SEED, endOnFailure: true });
  t.diagnostic(`${lived} histories, ${older} older than the ledger: ${await whatHappened()}`);
});
