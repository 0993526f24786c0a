import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import { advanceBy, DAY_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { reconcileOperations, runPaymentSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });
const shop = await Shop.open(service);

beforeEach(() => service.setAhead(0));

const statusOf = async (id: string) => (await shop.payment(id)).status;
const secondsAhead = (s: number) => new Date(Date.now() + s * 1_000);

describe('the expiry of a Pix', () => {
  /** A Pix that expires after two minutes, with the service's clock after its expiry. */
  async function overdue(): Promise<Json> {
    const expires_at = secondsAhead(120).toISOString();
    const { payment } = await shop.placed(shop.pixOrderBody(5_000, { expires_at }));
    service.setAhead(60_000);
    await runPaymentSteps(service.deps);
    assert.equal(await statusOf(payment.id), 'waiting_payment');
    service.setAhead(121_000);
    return payment;
  }

  test('comes at its time', async () => {
    const { id } = await overdue();
    assert.equal(await runPaymentSteps(service.deps), 1);
    assert.equal(await runPaymentSteps(service.deps), 0);
    const payment = await shop.payment(id);
    assert.deepEqual(statusesOf(payment), ['processing', 'waiting_payment', 'expired']);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.expired');
    const amount_centavos = 5_000;
    const report = notification(shop.account, await shop.reference(id), 'pix.expired', { amount_centavos });
    assert.equal(await deliver(service, report), 204);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('follows a clock that is ahead, and runs no statement if none is due', async (t) => {
    const ahead = await Shop.open(service);
    await advanceBy(ahead, DAY_MS);
    const { id } = await ahead.pixPayment();
    const transactions = t.mock.method(service.deps.db, 'transaction');
    assert.equal(await runPaymentSteps(service.deps), 0);
    assert.equal(transactions.mock.callCount(), 0);
    service.setAhead(31 * 60_000);
    assert.equal(await runPaymentSteps(service.deps), 1);
    assert.equal((await ahead.payment(id)).status, 'expired');
  });

  test('comes although another merchant cannot be served', async (t) => {
    const shops = [shop, await Shop.open(service)];
    const { transaction } = service.deps.db;
    for (const stuck of shops) {
      const expires_at = secondsAhead(120).toISOString();
      const payments = await Promise.all(shops.map((one) => one.pixPayment(5_000, { expires_at })));
      service.setAhead(121_000);
      const standstill = t.mock.method(service.deps.db, 'transaction', (async (scope, work) => {
        if (scope.merchantId === stuck.account) throw new DatabaseUnavailable(new Error('planted'));
        return transaction(scope, work);
      }) as typeof transaction);
      const logged = service.log.length;
      assert.equal(await runPaymentSteps(service.deps), 1);
      const errors = service.log.slice(logged).filter(({ level }) => level === 'error');
      assert.deepEqual(
        errors.map(({ fields }) => fields.merchant_id),
        [stuck.account],
      );
      standstill.mock.restore();
      assert.equal(await runPaymentSteps(service.deps), 1);
      const now = await Promise.all(shops.map((one, n) => one.payment(payments[n].id)));
      assert.deepEqual(
        now.map(({ status }) => status),
        ['expired', 'expired'],
      );
      service.setAhead(0);
    }
  });

  test('comes although two merchants cannot be served', async (t) => {
    const shops = await Promise.all([1, 2, 3, 4].map(() => Shop.open(service)));
    const expires_at = secondsAhead(120).toISOString();
    await Promise.all(shops.map((one) => one.pixPayment(5_000, { expires_at })));
    service.setAhead(121_000);
    const { transaction } = service.deps.db;
    const stuck = new Set<string>();
    const standstill = t.mock.method(service.deps.db, 'transaction', (async (scope, work) => {
      if (stuck.size < 2) stuck.add(scope.merchantId);
      if (stuck.has(scope.merchantId)) throw new DatabaseUnavailable(new Error('planted'));
      return transaction(scope, work);
    }) as typeof transaction);
    assert.equal(await runPaymentSteps(service.deps), 2);
    standstill.mock.restore();
    assert.equal(await runPaymentSteps(service.deps), 2);
  });

  test('is not tried for each merchant while the database serves none', async (t) => {
    const shops = [shop, await Shop.open(service), await Shop.open(service), await Shop.open(service)];
    const expires_at = secondsAhead(120).toISOString();
    await Promise.all(shops.map((one) => one.pixPayment(5_000, { expires_at })));
    service.setAhead(121_000);
    const unavailable = async () => {
      throw new DatabaseUnavailable(new Error('planted'));
    };
    const { anywhere } = service.deps.db;
    const gone = t.mock.method(service.deps.db, 'transaction', unavailable);
    const deaf = t.mock.method(service.deps.db, 'anywhere', (async (sql, params) =>
      sql.includes('transaction_read_only') ? unavailable() : anywhere(sql, params)) as typeof anywhere);
    await assert.rejects(runPaymentSteps(service.deps), DatabaseUnavailable);
    assert.equal(gone.mock.callCount(), 0);
    for (const planted of [gone, deaf]) planted.mock.restore();
    assert.equal(await runPaymentSteps(service.deps), 4);
  });

  test('is not tried for each merchant while the database is read-only', async (t) => {
    const shops = [shop, await Shop.open(service), await Shop.open(service)];
    const expires_at = secondsAhead(120).toISOString();
    await Promise.all(shops.map((one) => one.pixPayment(5_000, { expires_at })));
    service.setAhead(121_000);
    const admin = new pg.Client({ connectionString: service.databaseUrl });
    await admin.connect();
    const { rows } = await admin.query('select current_database() as name');
    const reads = async (only: 'on' | 'off') => {
      await admin.query(`alter database "${rows[0].name}" set default_transaction_read_only = ${only}`);
      // Those that are open keep what they began with.
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
                          where datname = current_database() and pid <> pg_backend_pid()`);
      await until('a connection is another', () =>
        service.deps.db.anywhere('select 1').then(
          () => true,
          () => false,
        ),
      );
    };
    const asked = t.mock.method(service.deps.db, 'transaction');
    await reads('on');
    try {
      await assert.rejects(runPaymentSteps(service.deps), DatabaseUnavailable);
      assert.equal(asked.mock.callCount(), 0);
    } finally {
      await admin.query('set default_transaction_read_only = off');
      await reads('off');
      await admin.end();
    }
    assert.equal(await runPaymentSteps(service.deps), 3);
  });

  test('can come from the acquirer; our job then finds nothing', async () => {
    const { id } = await overdue();
    await shop.acquirerWorks(121_000);
    assert.equal(await statusOf(id), 'expired');
    assert.equal(await runPaymentSteps(service.deps), 0);
  });

  test('does not prevent a payment that was made before', async () => {
    const { id } = await overdue();
    await runPaymentSteps(service.deps);
    assert.equal(await statusOf(id), 'expired');
    const paid = await service.control.simulate({
      account: shop.account,
      reference: await shop.reference(id),
      outcome: 'paid',
      reason: null,
      occurredAt: secondsAhead(0),
    });
    assert.equal(paid.kind, 'done');
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.captured_amount], ['paid', 5_000]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('waits for a cancellation in progress, and comes if that fails', async () => {
    const expires_at = secondsAhead(120).toISOString();
    const body = shop.pixOrderBody(99_990_015, { expires_at });
    const { payment } = await shop.placed(body);
    const spy = service.intercept(() => ({ cancel: async () => ({ kind: 'unknown', cause: 'time_out' }) }));
    assert.equal((await shop.cancel(payment.id)).body.status, 'processing');
    spy.undo();
    service.setAhead(121_000);
    assert.equal(await runPaymentSteps(service.deps), 0);
    await reconcileOperations(service.deps);
    assert.equal(await statusOf(payment.id), 'waiting_payment');
    assert.equal(await runPaymentSteps(service.deps), 1);
    assert.equal(await statusOf(payment.id), 'expired');
    await assertAcquirerAgrees(service, shop.account);
  });

  for (const [amount, seconds, status] of [
    [99_990_001, 11, 'paid'],
    [99_990_003, 11, 'expired'],
    [99_990_004, 11, 'refused'],
    [99_990_014, 11, 'paid'],
    [99_990_007, 2 * 86_400 + 12, 'chargeback_requested'],
    [99_990_008, 4 * 86_400 + 12, 'paid'],
    [99_990_009, 4 * 86_400 + 12, 'chargeback_lost'],
  ] as const) {
    test(`comes for the magic amount of ${amount} centavos: ${status}`, async () => {
      const { payment } = await shop.placed(shop.pixOrderBody(amount));
      await shop.acquirerWorks(seconds * 1_000);
      assert.equal(await statusOf(payment.id), status);
      assert.equal(
        (await shop.payment(payment.id)).refusal?.code,
        status === 'refused' ? 'processing_error' : undefined,
      );
    });
  }
});

describe('a chargeback', () => {
  const CHAINS = [
    [['chargeback_requested', 'chargeback_won'], 'paid'],
    [['chargeback_requested', 'chargeback_dispute', 'chargeback_dispute', 'chargeback_won'], 'paid'],
    [['chargeback_requested', 'chargeback_lost'], 'chargeback_lost'],
    [['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'], 'chargeback_lost'],
  ] as const;
  for (const [chain, status] of CHAINS) {
    test(`${chain.join(', ')}: ${status}`, async () => {
      const { id } = await shop.cardPayment();
      for (const step of chain) await shop.simulate(id, step);
      assert.equal(await statusOf(id), status);
      const events = await shop.eventNames(id);
      assert.deepEqual(events.slice(3), [
        'payment.chargeback_requested',
        ...chain.slice(1).map(() => 'payment.chargeback_dispute'),
      ]);
      await assertAcquirerAgrees(service, shop.account);
    });
  }

  test('is refused before its request is known, and sent again', async () => {
    // A shop of its own: the acquirer has no dispute.
    const own = await Shop.open(service);
    const { id } = await own.cardPayment();
    const of = await own.reference(id);
    const amount_centavos = 10_000;
    const lost = notification(own.account, of, 'chargeback.lost', { amount_centavos });
    assert.equal(await deliver(service, lost), 409);
    const requested = notification(own.account, of, 'chargeback.requested', { amount_centavos });
    assert.equal(await deliver(service, requested), 204);
    assert.equal(await deliver(service, lost), 204);
    assert.equal((await own.payment(id)).status, 'chargeback_lost');
  });

  test('does not affect a refund in progress, and a won one restores the status', async () => {
    const { id } = await shop.cardPayment({ number: '4000000000007726' });
    const { body: refund } = await shop.refund(id, 4_000);
    await shop.simulate(id, 'chargeback_requested');
    await shop.acquirerWorks(86_401_000);
    const disputed = await shop.payment(id);
    assert.deepEqual([disputed.status, disputed.refunded_amount], ['chargeback_requested', 4_000]);
    assert.equal((await shop.get(`/payments/${id}/refunds`)).data[0].status, 'succeeded');
    await shop.simulate(id, 'chargeback_won');
    assert.equal(await statusOf(id), 'partially_refunded');
    assert.equal(refund.status, 'in_progress');
    await assertAcquirerAgrees(service, shop.account);
  });

  test('a later suspicion of fraud refuses an authorization', async () => {
    const { id } = await shop.authorized('4000000000001166');
    await shop.acquirerWorks(11_000);
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.refusal.code], ['refused', 'fraud']);
    assert.deepEqual((await shop.eventNames(id)).slice(3), ['payment.fraud_detected', 'payment.refused']);
    await assertAcquirerAgrees(service, shop.account);
  });
});
