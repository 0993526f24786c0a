import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../support/clock-calls.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { reconcileOperations, runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { invoices, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const { deps } = service;
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Sets the time of the service after the next renewal of a monthly subscription. */
const setAfterRenewal = () => service.setAhead(32 * DAY_MS);

async function subscribedTimes(count: number): Promise<Json[]> {
  const all: Json[] = [];
  for (let i = 0; i < count; i += 1) all.push(await subscribed(shop));
  return all;
}

/** How many charges of each subscription have succeeded. */
async function charges(subscriptions: readonly Json[]): Promise<number[]> {
  const read = await Promise.all(subscriptions.map(({ id }) => shop.get(`/subscriptions/${id}`)));
  return read.map(({ successful_charges }) => successful_charges);
}

/** An acquirer that answers none of its first `count` commands before it has received all of them. */
function answersTogether(count: number, onAnswers: () => Promise<unknown> = async () => {}) {
  const { promise: answered, resolve } = Promise.withResolvers<void>();
  let answers = 0;
  const perform: typeof deps.acquirer.perform = async (command) => {
    const outcome = await deps.acquirer.perform(command);
    answers += 1;
    if (answers === count) resolve(onAnswers().then(() => {}));
    await answered;
    return outcome;
  };
  return { ...deps.acquirer, perform };
}

const refuseNext = (cardId: string, outcome: string) =>
  created(
    shop.post('/sandbox/scripts', { card_id: cardId, outcomes: [{ operation: 'authorize', outcome }] }),
  );

test('a batch of ten charges takes as many statements as one of five', async () => {
  const counts: number[] = [];
  for (const count of [5, 10]) {
    service.setAhead(0);
    shop = await Shop.open(service);
    const subscriptions = await subscribedTimes(count);
    setAfterRenewal();
    const { db, statements } = recordStatements(deps.db);
    await runBillingSteps({ ...deps, db, acquirer: answersTogether(count) });
    assert.deepEqual(await charges(subscriptions), Array(count).fill(2));
    counts.push(statements.length);
  }
  assert.equal(counts[1], counts[0]);
});

test('the charges of a batch get their own outcomes', async () => {
  const subscriptions = await subscribedTimes(6);
  await refuseNext(subscriptions[1]!.card_id, 'insufficient_funds');
  await refuseNext(subscriptions[4]!.card_id, 'stolen_card');
  setAfterRenewal();
  await runBillingSteps(deps);
  const renewed = await Promise.all(subscriptions.map(({ id }) => shop.get(`/subscriptions/${id}`)));
  assert.deepEqual(
    renewed.map(({ status, payment }) => [status, payment.status]),
    ['active', 'past_due', 'active', 'active', 'unpaid', 'active'].map((status) => [
      status,
      status === 'active' ? 'paid' : 'refused',
    ]),
  );
});

describe('one that fails does not stop the others of its batch', () => {
  test('a step: it is logged, and tried again later', async () => {
    const subscriptions = await subscribedTimes(6);
    const { id } = subscriptions[2]!;
    const setInvoice = (sql: string) => service.rows(sql, { account: shop.account, id });
    await setInvoice(
      `insert into subscription_invoices (slot, merchant_id, subscription_id, cycle, id, status, billing_date, period_end,
         amount_centavos, credit_centavos, created_at, updated_at)
       select slot, merchant_id, subscription_id, 2, gen_random_uuid(), 'open', billing_date, period_end, amount_centavos,
              credit_centavos, created_at, updated_at
         from subscription_invoices where merchant_id = :account and subscription_id = :id`,
    );
    setAfterRenewal();
    await runBillingSteps(deps);
    await runBillingSteps(deps);
    assert.deepEqual(await charges(subscriptions), [2, 2, 1, 2, 2, 2]);
    const logged = service.log.filter(({ fields }) => fields.subscription_id === id);
    assert.deepEqual(
      logged.map(({ message }) => message),
      ['a billing step failed'],
    );
    await setInvoice(
      'delete from subscription_invoices where merchant_id = :account and subscription_id = :id and cycle = 2',
    );
    service.setAhead(32 * DAY_MS + HOUR_MS);
    await runBillingSteps(deps);
    assert.deepEqual(await charges(subscriptions), [2, 2, 2, 2, 2, 2]);
  });

  test('a step of a stored state that cannot be right: it is logged, and tried again later', async () => {
    const subscriptions = await subscribedTimes(3);
    const { id, card_id } = subscriptions[1]!;
    await refuseNext(card_id, 'insufficient_funds');
    setAfterRenewal();
    await runBillingSteps(deps);
    assert.deepEqual(await charges(subscriptions), [2, 1, 2]);
    const [stored] = await service.rows<{ next: string }>(
      "select open_cycle #>> '{next,dueOn}' as next from subscriptions where merchant_id = :account and id = :id",
      { account: shop.account, id },
    );
    const setNext = (dueOn: string) =>
      service.rows(
        `update subscriptions set open_cycle = jsonb_set(open_cycle, '{next,dueOn}', to_jsonb(cast(:due_on as text)))
          where merchant_id = :account and id = :id`,
        { account: shop.account, id, due_on: dueOn },
      );
    await setNext('unknown');
    service.setAhead(63 * DAY_MS);
    await runBillingSteps(deps);
    assert.deepEqual(await charges([subscriptions[0]!, subscriptions[2]!]), [3, 3]);
    const logged = service.log.filter(({ fields }) => fields.subscription_id === id);
    assert.deepEqual(
      logged.map(({ message }) => message),
      ['a billing step failed'],
    );
    await setNext(stored!.next);
    service.setAhead(63 * DAY_MS + HOUR_MS);
    await runBillingSteps(deps);
    assert.equal((await charges(subscriptions))[1], 2);
  });

  test('a stored state whose next step cannot be told: it is logged, and tried again later', async () => {
    const subscriptions = await subscribedTimes(3);
    const { id } = subscriptions[1]!;
    const setBaseCycle = (baseCycle: number) =>
      service.rows(
        `update subscriptions set schedule = jsonb_set(schedule, '{baseCycle}', to_jsonb(cast(:base_cycle as integer)))
          where merchant_id = :account and id = :id`,
        { account: shop.account, id, base_cycle: baseCycle },
      );
    await setBaseCycle(9);
    setAfterRenewal();
    await runBillingSteps(deps);
    const logged = service.log.filter(({ fields }) => fields.subscription_id === id);
    assert.deepEqual(
      logged.map(({ message }) => message),
      ['a billing step failed'],
    );
    await setBaseCycle(1);
    assert.deepEqual(await charges(subscriptions), [2, 1, 2]);
    await runBillingSteps(deps);
    assert.deepEqual(await charges(subscriptions), [2, 1, 2]);
    service.setAhead(32 * DAY_MS + HOUR_MS);
    await runBillingSteps(deps);
    assert.deepEqual(await charges(subscriptions), [2, 2, 2]);
  });

  test('an outcome: the reconciler settles its charge', async () => {
    const subscriptions = await subscribedTimes(6);
    const { id } = subscriptions[3]!;
    const setInvoice = (status: string, paidAt: Date | null) =>
      service.rows(
        `update subscription_invoices set status = :status, paid_at = :paid_at
          where merchant_id = :account and subscription_id = :id and cycle = 2`,
        { account: shop.account, id, status, paid_at: paidAt },
      );
    const acquirer = answersTogether(subscriptions.length, () => setInvoice('paid', new Date()));
    setAfterRenewal();
    const log = { ...deps.log, error() {} };
    await runBillingSteps({ ...deps, log, acquirer });
    assert.deepEqual(await charges(subscriptions), [2, 2, 2, 1, 2, 2]);
    await setInvoice('open', null);
    service.setAhead(32 * DAY_MS + HOUR_MS);
    await reconcileOperations(deps);
    assert.deepEqual(await charges(subscriptions), [2, 2, 2, 2, 2, 2]);
    const [, renewal] = await invoices(shop, id);
    assert.equal(renewal!.payments.length, 1);
  });
});
