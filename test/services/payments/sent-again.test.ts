/** A capture, a cancellation or a refund that its process has not sent yet, and that another process sends again. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { PaymentCommand } from '../../../gateway/acquirer.ts';
import { DatabaseUnavailable } from '../../../services/refusal.ts';
import { HOUR_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { startTestService, type TestAnswer, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

/** Longer than a request may work on its intent. */
const SOON_MS = 25_000;

let slow: TestService;
let other: TestService;
let shop: Shop;

before(async () => {
  slow = await startTestService({ jobs: false });
  other = await startTestService({ beside: slow, jobs: false });
});
after(async () => {
  await other.stop();
  await slow.stop();
});
beforeEach(async () => {
  shop = await Shop.open(slow);
});
afterEach(() => {
  slow.setAhead(0);
  other.setAhead(0);
});

const CASES = {
  capture: { isCaptured: false, path: 'capture', status: 'paid', event: 'payment.capture_confirmed' },
  cancel: { isCaptured: false, path: 'cancel', status: 'canceled', event: 'payment.cancel_confirmed' },
  refund: { isCaptured: true, path: 'refunds', status: 'partially_refunded', event: 'payment.refunded' },
} as const;
type Kind = keyof typeof CASES;

/** A call that waits until it is released, and says when it has arrived. */
class Gate {
  readonly #arrived = Promise.withResolvers<void>();
  readonly #opened = Promise.withResolvers<void>();

  async pass(): Promise<void> {
    this.#arrived.resolve();
    await this.#opened.promise;
  }

  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}

/** Commands of the kind wait at the gate before they are sent to the acquirer. */
function hold(service: TestService, kind: Kind, gate: Gate) {
  return service.intercept((real) => ({
    [kind]: async (command: PaymentCommand) => {
      await gate.pass();
      return real.perform(command);
    },
  }));
}

/** No command of the kind reaches the acquirer. */
function lose(service: TestService, kind: Kind) {
  return service.intercept(() => ({ [kind]: async () => ({ kind: 'unknown', cause: 'time_out' }) as const }));
}

/** The acquirer seals references, but its answers to that are lost. */
function loseSeals(service: TestService) {
  return service.intercept((real) => ({
    inquire: async (inquiry) => {
      const outcome = await real.inquire(inquiry);
      return inquiry.seal ? ({ kind: 'unknown', cause: 'time_out' } as const) : outcome;
    },
  }));
}

async function paymentOf(kind: Kind): Promise<string> {
  return (await shop.cardPayment({ capture: CASES[kind].isCaptured })).id;
}

function ask(kind: Kind, id: string): Promise<TestAnswer> {
  const { path } = CASES[kind];
  const body = path === 'cancel' ? undefined : { amount: 4_000 };
  return shop.post(`/payments/${id}/${path}`, body, 'k');
}

async function assertDoneOnce(kind: Kind, id: string, answer: TestAnswer): Promise<void> {
  const { status, event } = CASES[kind];
  assert.ok(answer.status < 300, answer.text);
  assert.equal((await shop.payment(id)).status, status);
  const names = await shop.eventNames(id);
  assert.deepEqual(
    names.filter((name) => name === event || /failed|denied/.test(name)),
    [event],
  );
  assert.equal(await bookedOf(kind), 1);
  await assertAcquirerAgrees(slow, shop.account);
}

/** How many operations of this kind the acquirer has carried out. */
async function bookedOf(kind: Kind): Promise<number> {
  const rows = await slow.rows(
    "select 1 from simulator.operations where account = :account and kind = :kind and status = 'booked'",
    { account: shop.account, kind },
  );
  return rows.length;
}

async function refusalCodeOf(kind: Kind): Promise<string | undefined> {
  const [row] = await slow.rows<{ refusal_code: string }>(
    'select refusal_code from payment_operations where kind = :kind and merchant_id = :account',
    { kind, account: shop.account },
  );
  return row?.refusal_code;
}

for (const kind of Object.keys(CASES) as Kind[]) {
  describe(`a ${kind} that two processes send`, () => {
    test('is carried out once if the first one sends it after the other one has settled it', async () => {
      const id = await paymentOf(kind);
      const gate = new Gate();
      const held = hold(slow, kind, gate);
      const first = ask(kind, id);
      await gate.arrived;
      assert.equal(await reconcile(other, SOON_MS), 1);
      assert.equal((await shop.payment(id)).status, CASES[kind].status);
      gate.open();
      await assertDoneOnce(kind, id, await first);
      held.undo();
    });

    test('is carried out once if the acquirer receives it from both at the same time', async () => {
      const id = await paymentOf(kind);
      const gates = [new Gate(), new Gate()] as const;
      const held = [hold(slow, kind, gates[0]), hold(other, kind, gates[1])];
      const first = ask(kind, id);
      await gates[0].arrived;
      const reconciled = reconcile(other, SOON_MS);
      await gates[1].arrived;
      for (const gate of gates) gate.open();
      assert.equal(await reconciled, 1);
      await assertDoneOnce(kind, id, await first);
      for (const each of held) each.undo();
    });

    test('is carried out once if the other one sends it after the first one has settled it', async () => {
      const id = await paymentOf(kind);
      const gates = [new Gate(), new Gate()] as const;
      const held = [hold(slow, kind, gates[0]), hold(other, kind, gates[1])];
      const first = ask(kind, id);
      await gates[0].arrived;
      const reconciled = reconcile(other, SOON_MS);
      await gates[1].arrived;
      gates[0].open();
      const answer = await first;
      gates[1].open();
      await reconciled;
      await assertDoneOnce(kind, id, answer);
      for (const each of held) each.undo();
    });
  });

  describe(`a ${kind} that the acquirer has not received`, () => {
    /** The service has no outcome, and the payment is as it was. */
    async function assertNotDone(id: string, before: string): Promise<void> {
      assert.equal((await shop.payment(id)).status, before);
      assert.equal(await bookedOf(kind), 0);
      assert.match((await shop.eventNames(id)).at(-1)!, /failed|denied/);
      await assertAcquirerAgrees(slow, shop.account);
    }

    const before = CASES[kind].isCaptured ? 'paid' : 'pre_authorized';

    test('is not sent any more after an hour', async () => {
      const id = await paymentOf(kind);
      const lost = lose(slow, kind);
      await ask(kind, id);
      lost.undo();
      await reconcile(other, HOUR_MS + MINUTE_MS);
      await assertNotDone(id, before);
    });

    test('is no refusal of the acquirer if the answer to its seal is lost', async () => {
      const id = await paymentOf(kind);
      const lost = [lose(slow, kind), lose(other, kind), loseSeals(other)];
      await ask(kind, id);
      await reconcile(other, SOON_MS);
      for (const each of lost) each.undo();
      await reconcile(other, 3 * MINUTE_MS);
      await assertNotDone(id, before);
      assert.equal(await refusalCodeOf(kind), 'not_received');
    });

    test('is no refusal of the acquirer if the first process sends it after the other one has sealed it', async () => {
      const id = await paymentOf(kind);
      const gate = new Gate();
      const held = hold(slow, kind, gate);
      const lost = [lose(other, kind), loseSeals(other)];
      const first = ask(kind, id);
      await gate.arrived;
      assert.equal(await reconcile(other, SOON_MS), 1);
      gate.open();
      await first;
      for (const each of [held, ...lost]) each.undo();
      await assertNotDone(id, before);
      assert.equal(await refusalCodeOf(kind), 'not_received');
    });

    test('is not sent a third time', async () => {
      const id = await paymentOf(kind);
      const lost = [lose(slow, kind), lose(other, kind)];
      await ask(kind, id);
      await reconcile(other, SOON_MS);
      for (const each of lost) each.undo();
      await assertNotDone(id, before);
    });
  });
}

test('a refund is not sent again while the payment is disputed', async () => {
  const id = await paymentOf('refund');
  const lost = lose(slow, 'refund');
  await ask('refund', id);
  lost.undo();
  await shop.simulate(id, 'chargeback_requested');
  assert.equal((await shop.payment(id)).status, 'chargeback_requested');
  await reconcile(other, SOON_MS);
  assert.equal(await bookedOf('refund'), 0);
  assert.equal((await shop.payment(id)).status, 'chargeback_requested');
  await assertAcquirerAgrees(slow, shop.account);
});

test('a capture is not sent again for a merchant who is not approved any more', async () => {
  const id = await paymentOf('capture');
  const lost = lose(slow, 'capture');
  await ask('capture', id);
  lost.undo();
  await shop.suspend();
  await reconcile(other, SOON_MS);
  assert.deepEqual([(await shop.payment(id)).status, await bookedOf('capture')], ['pre_authorized', 0]);
  await assertAcquirerAgrees(slow, shop.account);
});

for (const [kind, noun] of [
  ['capture', 'capture'],
  ['cancel', 'cancellation'],
] as const) {
  test(`a ${noun} that was lost twice is refused, and says so`, async () => {
    const id = await paymentOf(kind);
    const died = slow.intercept(() => ({
      [kind]: async () => {
        throw new DatabaseUnavailable(new Error('the process dies'));
      },
    }));
    assert.equal((await ask(kind, id)).status, 503);
    died.undo();
    const lost = lose(slow, kind);
    const { status, body } = await ask(kind, id);
    lost.undo();
    assert.equal(status, 422);
    const sentence = `The ${noun} did not reach the acquirer, and was not carried out.`;
    assert.deepEqual(body.errors, { status: [sentence] });
  });
}
