import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { operationReference } from '../../../domain/identifiers.ts';
import type { AcquirerCommand, OutcomeOf } from '../../../gateway/acquirer.ts';
import { AcquirerSchedule } from '../../../services/clock/acquirer-schedule.ts';
import type { Deps } from '../../../services/deps.ts';
import { MINUTE_MS } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let wall_ms: number;
let asked: number;
beforeEach(async () => {
  shop = await Shop.open(service);
  wall_ms = Date.now();
  asked = 0;
});

/** The schedule of the shop. Its wall time is `wall_ms`, and its questions are counted. */
function scheduleOfShop(replaced: Partial<Deps> = {}): AcquirerSchedule {
  const { deps, control } = service;
  const sandbox = {
    ...control,
    nextDue: (account: string) => {
      asked += 1;
      return control.nextDue(account);
    },
  };
  return new AcquirerSchedule({ ...deps, sandbox, wall: () => new Date(wall_ms), ...replaced }, shop.account);
}

test('the acquirer is asked once while nothing can have changed its answer', async () => {
  const { pix } = await shop.pixPayment();
  const schedule = scheduleOfShop();
  for (let i = 0; i < 3; i++) {
    assert.equal((await schedule.nextDue())?.getTime(), Date.parse(pix.expires_at));
    wall_ms += 30;
  }
  assert.equal(asked, 1);
});

/** Sends a charge by Pix that expires in a minute. The call has begun when this returns. */
async function sendCharge({ deps: { acquirer } }: AcquirerSchedule, customerId: string): Promise<void> {
  await acquirer.perform({
    kind: 'pix_charge',
    reference: operationReference(shop.onboarded.merchant.slot, service.deps.random),
    account: shop.account,
    requestedAt: new Date(),
    method: 'pix',
    amount_centavos: 5_000,
    customer: { customerId, name: 'Ana Souza', document: null },
    txid: 'a'.repeat(30),
    expiresAt: new Date(Date.now() + MINUTE_MS),
  });
}

test('it is asked again after a call, after its events ran, and after 100 ms', async () => {
  const { pix } = await shop.pixPayment();
  const schedule = scheduleOfShop();
  await schedule.nextDue();
  await sendCharge(schedule, await shop.customer());
  const second = await schedule.nextDue();
  assert.ok(second !== null && second.getTime() < Date.parse(pix.expires_at), 'it knows the new charge');
  assert.equal(asked, 2);
  await schedule.runDue(second);
  assert.equal((await schedule.nextDue())?.getTime(), Date.parse(pix.expires_at));
  assert.equal(asked, 3);
  wall_ms += 100;
  await schedule.nextDue();
  assert.equal(asked, 4);
});

test('it is asked once as soon as several calls have ended, and not when the answer is needed', async () => {
  const schedule = scheduleOfShop();
  const customerId = await shop.customer();
  await Promise.all([1, 2, 3].map(() => sendCharge(schedule, customerId)));
  assert.equal(asked, 1);
  assert.notEqual(await schedule.nextDue(), null);
  assert.equal(asked, 1);
});

test('after a call without an answer it is asked when the answer is needed', async () => {
  const { deps } = service;
  let isLost = true;
  const acquirer = {
    ...deps.acquirer,
    perform: async <C extends AcquirerCommand>(command: C) => {
      const outcome = await deps.acquirer.perform(command);
      return isLost ? ({ kind: 'unknown', cause: 'timeout' } as OutcomeOf<C>) : outcome;
    },
  };
  const schedule = scheduleOfShop({ acquirer });
  const customerId = await shop.customer();
  await sendCharge(schedule, customerId);
  isLost = false;
  await sendCharge(schedule, customerId);
  assert.equal(asked, 0);
  assert.notEqual(await schedule.nextDue(), null);
  assert.equal(asked, 1);
  await sendCharge(schedule, customerId);
  assert.equal(asked, 2);
});

test('a question that failed and is never read is not an unhandled rejection', async (t) => {
  const sandbox = { ...service.control, nextDue: () => Promise.reject(new Error('no answer')) };
  const unhandled = t.mock.fn();
  process.on('unhandledRejection', unhandled);
  await sendCharge(scheduleOfShop({ sandbox }), await shop.customer());
  await setImmediate();
  process.off('unhandledRejection', unhandled);
  assert.equal(unhandled.mock.callCount(), 0);
});
