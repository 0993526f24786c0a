import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcileOperations, runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { invoices, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

/** Sets the time of the service after the next renewal of a monthly subscription. */
const setAfterRenewal = () => service.setAhead(32 * DAY_MS);

describe('the job of the billing steps', () => {
  test('charges the subscriptions that are due, and nothing a second time', async () => {
    const { id } = await subscribed(shop);
    assert.equal(await runBillingSteps(service.deps), 0);
    setAfterRenewal();
    await runBillingSteps(service.deps);
    assert.equal((await read(id)).successful_charges, 2);
    await runBillingSteps(service.deps);
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('charges each cycle once if two workers run at the same time', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push((await subscribed(shop)).id);
    setAfterRenewal();
    await Promise.all([runBillingSteps(service.deps), runBillingSteps(service.deps)]);
    for (const id of ids) {
      const [, renewal, ...others] = await invoices(shop, id);
      assert.deepEqual([renewal!.status, renewal!.payments.length, others.length], ['paid', 1, 0]);
    }
  });

  test('leaves a charge without an answer to the reconciler, which settles its cycle', async () => {
    const { id } = await subscribed(shop);
    setAfterRenewal();
    const { deps } = service;
    const lost: typeof deps.acquirer.perform = async (command) => {
      await deps.acquirer.perform(command);
      throw new Error('The process dies between the charge and its commit.');
    };
    const dying = {
      ...deps,
      acquirer: { ...deps.acquirer, perform: lost },
      log: { ...deps.log, error() {} },
    };
    await runBillingSteps(dying);
    const waiting = await read(id);
    assert.deepEqual([waiting.payment.status, waiting.successful_charges], ['processing', 1]);
    assert.equal(await runBillingSteps(deps), 0);
    service.setAhead(32 * DAY_MS + MINUTE_MS);
    await reconcileOperations(deps);
    const settled = await read(id);
    assert.deepEqual([settled.status, settled.successful_charges], ['active', 2]);
    assert.equal((await invoices(shop, id))[1]!.payments.length, 1);
  });
});

test('a charge that was never sent is made again, and does not count as a failure', async () => {
  const { id } = await subscribed(shop);
  setAfterRenewal();
  const { deps } = service;
  const never: typeof deps.acquirer.perform = async () => {
    throw new Error('The process dies before the charge is sent.');
  };
  const dying = { ...deps, acquirer: { ...deps.acquirer, perform: never }, log: { ...deps.log, error() {} } };
  await runBillingSteps(dying);
  service.setAhead(32 * DAY_MS + MINUTE_MS);
  await reconcileOperations(deps);
  const waiting = await read(id);
  assert.deepEqual([waiting.status, waiting.payment.status], ['active', 'refused']);
  service.setAhead(33 * DAY_MS);
  await runBillingSteps(deps);
  const renewed = await read(id);
  assert.deepEqual(
    [renewed.status, renewed.successful_charges, renewed.payment.retry_attempts],
    ['active', 2, 0],
  );
});

describe('the database refuses', () => {
  const CONSTRAINT = /payments_one_(paid|open)_per_cycle/;

  /** Copies the payment of a subscription's first cycle in the database, with changes. */
  const copyPayment = async (id: string, changes: Record<string, string>) => {
    const columns = await service.rows<{ name: string }>(
      `select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = 'payments' and is_generated = 'NEVER' order by ordinal_position`,
    );
    const names = columns.map(({ name }) => name);
    const values = names.map((name) => changes[name] ?? name);
    return service.rows(
      `insert into payments (${names.join(', ')}) select ${values.join(', ')} from payments
        where merchant_id = :account and subscription_id = :id returning id`,
      { account: shop.account, id },
    );
  };
  const anew = { id: 'gen_random_uuid()', hash: "'x'", reference: "'y'" };

  test('a second paid payment of a cycle', async () => {
    const { id } = await subscribed(shop);
    await assert.rejects(copyPayment(id, anew), CONSTRAINT);
  });

  test('a second open attempt of a cycle', async () => {
    const { id, payment } = await subscribed(shop);
    const open = {
      ...anew,
      status: "'processing'",
      captured_centavos: '0',
      fee_centavos: 'null',
      captured_on: 'null',
      history: `'[{"status": "processing", "at": "2026-01-01T00:00:00Z"}]'`,
    };
    await copyPayment(id, open);
    const second = { ...open, hash: "'z'", reference: "'w'" };
    await assert.rejects(copyPayment(id, { ...second, id: 'gen_random_uuid()' }), CONSTRAINT);
    assert.equal((await shop.payment(payment.id)).status, 'paid');
  });
});
