import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Acquirer, PaymentCommand } from '../../gateway/acquirer.ts';
import type { SimulatedOutcome } from '../../gateway/sandbox-control.ts';
import type { TestDatabase } from '../support/database.ts';
import { ordinaryDatabase } from '../support/db/ordinary-database.ts';
import { loseAnswers, reconcile } from '../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../support/payments/discrepancies.ts';
import { NotificationReplay } from '../support/payments/notification-replay.ts';
import { runPaymentSteps } from '../support/run-jobs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import { domainOf, verifiedDomain, walletOrderBody } from '../support/wallet/wallet-shop.ts';
import { type Answer, type History, histories, type Step } from './false-reports.ts';
import { makeFalseReport } from './make-false-report.ts';

/**
 * Random histories of one payment. The acquirer's reports are true and false, late, repeated and out of order. Every
 * false report becomes a discrepancy and changes nothing, every true one is applied once, and at the end our records
 * and the acquirer's agree to the centavo. As in production, the role of the database is not a superuser.
 */
const HISTORIES = Number(process.env.HISTORIES ?? 100);
/** The same in each run, so that a change is judged by what it changed. SEED=… runs others. */
const SEED = Number(process.env.SEED ?? 20_261_129);

let database: TestDatabase;
let service: TestService;
/** How many false reports of each sort were made. */
const counts = new Map<string, number>();
before(async () => {
  database = await ordinaryDatabase();
  service = await startTestService({ jobs: false, env: { DATABASE_URL: database.url } });
  await NotificationReplay.replace(service);
});
after(async () => {
  await service.stop();
  await database.drop();
});

/** One payment's life, and the false reports of it. */
class Life {
  readonly shop: Shop;
  readonly replay: NotificationReplay;
  readonly lies: string[] = [];
  wrongAnswers = 0;
  ahead_ms = 0;
  /** How far the acquirer has run ahead. Its clock never goes back either. */
  acquirerAhead_ms = 0;
  id = '';
  amount = 0;

  constructor(shop: Shop) {
    this.shop = shop;
    this.replay = new NotificationReplay(service, shop.account);
  }

  async run({ order, answer, steps, isReversed }: History): Promise<void> {
    this.later(0);
    const expires_at = new Date(Date.now() + 120_000).toISOString();
    const body = await this.orderBody(order, expires_at);
    const { payment } = await this.answered(answer, () => created(this.shop.post('/charges/orders', body)));
    this.id = payment.id;
    this.amount = payment.amount;
    for (const step of steps) {
      await this.take(step);
      await this.replay.collect();
    }
    await this.end(isReversed);
  }

  async orderBody(order: History['order'], expires_at: string): Promise<object> {
    const { shop } = this;
    if ('chargeAmount' in order) {
      return order.method === 'pix'
        ? shop.pixOrderBody(order.chargeAmount, { expires_at })
        : shop.bankSlipOrderBody(order.chargeAmount);
    }
    if ('walletNumber' in order) {
      const { walletNumber: number, amount, capture, captureDelay_hours } = order;
      const isDelayed = capture && captureDelay_hours !== null;
      const block = isDelayed ? { capture_delay_hours: captureDelay_hours } : { capture };
      return walletOrderBody(shop, { number, amount, domain: domainOf(shop) }, block);
    }
    const body = await shop.cardOrderBody(order);
    if (order.method === 'credit_card') return body;
    const { amount, credit_card } = body.payment;
    return {
      ...body,
      payment: { amount, payment_method: 'debit_card', debit_card: { id: credit_card.id } },
    };
  }

  /** Our clock never goes back. */
  later(ms: number): void {
    this.ahead_ms += ms;
    this.replay.ahead_ms = this.ahead_ms;
    service.setAhead(this.ahead_ms);
  }

  async answered<Result>(answer: Answer, ask: () => Promise<Result>): Promise<Result> {
    if (answer === 'heard') return ask();
    const spy = answer === 'lost' ? loseAnswers(service) : this.misreport();
    try {
      return await ask();
    } finally {
      spy.undo();
    }
  }

  /** The acquirer does what it is asked, and answers about one centavo more. */
  misreport() {
    const misreported = (real: Acquirer) => async (asked: PaymentCommand) => {
      const outcome = await real.perform(asked);
      if (!('amount_centavos' in outcome)) return outcome;
      this.wrongAnswers += 1;
      return { ...outcome, amount_centavos: outcome.amount_centavos + 1 };
    };
    return service.intercept((real) => ({
      authorize: misreported(real),
      pix_charge: misreported(real),
      bank_slip_charge: misreported(real),
      capture: misreported(real),
      cancel: misreported(real),
      refund: misreported(real),
    }));
  }

  async take(step: Step): Promise<void> {
    const { shop, replay, id } = this;
    switch (step.do) {
      case 'capture':
      case 'refund': {
        const share = step.share ?? undefined;
        const part = share && Math.max(1, Math.floor((this.amount * share) / 100));
        const { status, text } = await this.answered(step.answer, () => shop[step.do](id, part));
        assert.ok([200, 201, 422].includes(status), text);
        return;
      }
      case 'cancel': {
        const { status, text } = await this.answered(step.answer, () => shop.cancel(id));
        assert.ok([200, 422].includes(status), text);
        return;
      }
      case 'simulate':
        return this.simulate(step.outcome);
      case 'wait':
        this.acquirerAhead_ms = Math.max(this.acquirerAhead_ms, step.seconds * 1_000);
        await service.control.runDue(shop.account, new Date(Date.now() + this.acquirerAhead_ms));
        return;
      case 'deliver':
        return replay.deliverOne(step.pick);
      case 'repeat':
        return replay.repeatOne(step.pick, step.isRenamed);
      case 'lie':
        return this.lie(step);
      case 'reconcile':
        this.later(2_000);
        await reconcile(service, this.ahead_ms);
        return;
      case 'expire':
        // Its time has come: a charge expires, an authorization is captured or voided.
        if (this.ahead_ms < 121_000) this.later(121_000);
        await service.rows('update payments set due_at = created_at where id = :id and due_at is not null', {
          id,
        });
        await runPaymentSteps(service.deps);
    }
  }

  async simulate(outcome: SimulatedOutcome): Promise<void> {
    const { shop, id } = this;
    const [open] = await service.rows<{ reference: string }>(
      outcome.startsWith('refund_')
        ? "select reference from refunds where payment_id = :id and status = 'in_progress'"
        : 'select reference from payments where id = :id',
      { id },
    );
    if (open === undefined) return;
    // A charge is not paid before the acquirer has reported its expiry.
    const ahead_ms = outcome === 'paid' ? Math.max(this.ahead_ms, this.acquirerAhead_ms) : this.ahead_ms;
    await service.control.simulate({
      account: shop.account,
      reference: open.reference,
      outcome,
      reason: null,
      occurredAt: new Date(Date.now() + ahead_ms),
    });
  }

  async lie({ lie, pick }: Extract<Step, { do: 'lie' }>): Promise<void> {
    const report = await makeFalseReport(this.shop, this.id, lie, pick);
    if (report === undefined) return;
    const before = await this.records();
    const copies = 1 + (pick % 2);
    for (let n = 0; n < copies; n++) {
      assert.equal(await this.replay.send(report), 204, `${lie}: ${JSON.stringify(report)}`);
    }
    assert.deepEqual(await this.records(), before, `${lie}: ${JSON.stringify(report)}`);
    this.lies.push(report.id);
    counts.set(lie, (counts.get(lie) ?? 0) + 1);
  }

  /** Everything of the payment that a report could move. */
  async records() {
    return service.rows(
      `select to_jsonb(p) as payment,
              (select jsonb_agg(o order by o.id) from payment_operations o where o.payment_id = p.id) as operations,
              (select jsonb_agg(r order by r.id) from refunds r where r.payment_id = p.id) as refunds,
              (select count(*) from events e where e.payment_id = p.id) as events
         from payments p where p.id = :id`,
      { id: this.id },
    );
  }

  /** Completes all open operations, and delivers every notification. */
  async end(isReversed: boolean): Promise<void> {
    const { account } = this.shop;
    for (let round = 0; ; round++) {
      assert.ok(round < 8, 'a true notification is never taken in');
      this.later(30_000);
      await reconcile(service, this.ahead_ms);
      await service.control.runDue(account, new Date(Date.now() + 20 * 86_400_000));
      await this.replay.collect();
      const waiting = await this.replay.deliverAll(isReversed);
      const [{ open } = { open: 0 }] = await service.rows<{ open: number }>(
        "select count(*) as open from payment_operations where merchant_id = :account and state = 'pending'",
        { account },
      );
      if (waiting + open === 0) return;
    }
  }

  async check(): Promise<void> {
    const { account } = this.shop;
    await assertAcquirerAgrees(service, account);
    const found = (await discrepanciesOf(service, account)).filter(
      ({ payment_id }) => payment_id === this.id,
    );
    const notified = found.filter(({ source }) => source === 'notification');
    assert.deepEqual(notified.map(({ reported }) => reported.notification_id).sort(), this.lies.sort());
    const answers = found.filter(({ source }) => source !== 'notification');
    assert.deepEqual(
      answers.map(({ source, reason }) => [source, reason]),
      Array.from({ length: this.wrongAnswers }, () => ['answer', 'amount_mismatch']),
    );
    const [disputes] = await service.rows<{ ours: string; theirs: string }>(
      `select p.status as ours, s.chargeback as theirs
         from payments p join simulator.payments s on s.account = cast(p.merchant_id as text)
          and s.reference = p.reference where p.id = :id`,
      { id: this.id },
    );
    const ours = /^chargeback_(\w+)/.exec(disputes?.ours ?? '')?.[1] ?? 'none';
    assert.equal(ours, disputes?.theirs.replace('won', 'none') ?? 'none');
  }
}

async function openShop(): Promise<Shop> {
  const shop = await Shop.open(service);
  await verifiedDomain(shop, domainOf(shop));
  return shop;
}

test(`in each of ${HISTORIES} random histories false reports change nothing, and true ones are applied (SEED=${SEED})`, async (t) => {
  let shop = await openShop();
  let lived = 0;
  const holds = fc.asyncProperty(histories, async (history) => {
    lived += 1;
    // Each comparison reads all records of the merchant. It stays fast because the merchant is replaced from time to
    // time.
    if (lived % 20 === 0) shop = await openShop();
    const life = new Life(shop);
    await life.run(history);
    await life.check();
  });
  await fc.assert(holds, { numRuns: HISTORIES, seed: SEED, endOnFailure: true });
  t.diagnostic(`false reports: ${[...counts].map(([lie, count]) => `${count} ${lie}`).join(', ')}`);
});
