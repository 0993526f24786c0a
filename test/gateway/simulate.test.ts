import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { NotificationType } from '../../gateway/acquirer.ts';
import { SIMULATED_OUTCOMES, type SimulatedOutcome } from '../../gateway/sandbox-control.ts';
import { Customer, later, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';

type Allowed = Partial<Record<SimulatedOutcome, NotificationType>>;

/** How a payment gets into a state, and what may be simulated there with the notification that tells it. */
interface State {
  readonly reach: (customer: Customer) => Promise<string>;
  readonly allowed: Allowed;
}

const CHARGEBACK: Allowed = { chargeback_requested: 'chargeback.requested' };
const IN_DISPUTE: Allowed = {
  chargeback_dispute: 'chargeback.dispute',
  chargeback_won: 'chargeback.won',
  chargeback_lost: 'chargeback.lost',
};

const STATES: Readonly<Record<string, State>> = {
  'a card authorization under way': {
    reach: (customer) => customer.authorized('4000000000001133'),
    allowed: {
      paid: 'authorization.approved',
      refused: 'authorization.refused',
      fraud: 'authorization.fraud_detected',
    },
  },
  'an authorized card': {
    reach: (customer) => customer.authorized(),
    allowed: { fraud: 'authorization.fraud_detected', cancel_confirmed: 'cancel.approved' },
  },
  'a card whose cancellation is under way': {
    reach: async (customer) => {
      const payment = await customer.authorized('4000000000001216');
      await customer.cancel(payment);
      return payment;
    },
    allowed: { fraud: 'authorization.fraud_detected', cancel_confirmed: 'cancel.approved' },
  },
  'a paid card': { reach: (customer) => customer.authorized(undefined, true), allowed: CHARGEBACK },
  'a refused card': { reach: (customer) => customer.authorized('4000000000000002'), allowed: {} },
  'a voided card': {
    reach: async (customer) => {
      const payment = await customer.authorized();
      await customer.cancel(payment);
      return payment;
    },
    allowed: {},
  },
  'a wholly refunded card': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.refund(payment);
      return payment;
    },
    allowed: {},
  },
  'a partly refunded card': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.refund(payment, 1);
      return payment;
    },
    allowed: CHARGEBACK,
  },
  'a refund under way': {
    reach: async (customer) => {
      const payment = await customer.authorized('4000000000007726', true);
      const refund = reference();
      await customer.refund(payment, 10_000, refund);
      return refund;
    },
    allowed: { refund_succeeded: 'refund.approved', refund_denied: 'refund.refused' },
  },
  'an open Pix charge': {
    reach: (customer) => customer.registered(),
    allowed: { paid: 'pix.paid', refused: 'pix.refused', expired: 'pix.expired' },
  },
  'a paid Pix': {
    reach: async (customer) => {
      const charge = await customer.registered();
      await customer.simulate(charge, 'paid');
      return charge;
    },
    allowed: CHARGEBACK,
  },
  'an expired Pix': {
    reach: async (customer) => {
      const charge = await customer.registered();
      await customer.simulate(charge, 'expired');
      return charge;
    },
    allowed: {},
  },
  'a requested chargeback': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      return payment;
    },
    allowed: IN_DISPUTE,
  },
  'a chargeback in dispute': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      await customer.simulate(payment, 'chargeback_dispute');
      return payment;
    },
    allowed: IN_DISPUTE,
  },
  'a lost chargeback': {
    reach: async (customer) => {
      const payment = await customer.authorized(undefined, true);
      await customer.simulate(payment, 'chargeback_requested');
      await customer.simulate(payment, 'chargeback_lost');
      return payment;
    },
    allowed: {},
  },
  'a payment that the acquirer never saw': { reach: async () => reference(), allowed: {} },
};

describe('simulate', { concurrency: 8 }, () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  for (const [state, { reach, allowed }] of Object.entries(STATES)) {
    for (const outcome of SIMULATED_OUTCOMES) {
      const type = allowed[outcome];
      it(`${outcome} is ${type ? 'allowed' : 'refused'} for ${state}`, async () => {
        const customer = new Customer(running);
        const ref = await reach(customer);
        const before = customer.sink.types(customer.account).length;
        const told = await customer.simulate(ref, outcome);
        if (type) assert.deepEqual(told, { kind: 'done' });
        else assert.match(told.kind === 'not_allowed' ? told.why : told.kind, /^[A-Z].+ .+\.$/);
        // Delivered before the answer, so there is nothing to wait for.
        assert.deepEqual(customer.sink.types(customer.account).slice(before), type ? [type] : []);
        if (type && type !== 'chargeback.dispute') {
          assert.equal((await customer.simulate(ref, outcome)).kind, 'not_allowed', 'a second time');
        }
      });
    }
  }

  it('tells the reason, and refuses one that nobody knows', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    const told = await customer.simulate(charge, 'refused', 'bad_weather');
    assert.deepEqual(told, { kind: 'not_allowed', why: '"bad_weather" is not a refusal reason.' });
    await customer.simulate(charge, 'refused', 'insufficient_funds', later(5));
    const [notification] = customer.sink.of(customer.account);
    assert.equal(notification?.refusal?.code, 'insufficient_funds');
    assert.equal(notification.refusal.retryable, true);
    assert.deepEqual(notification.occurredAt, later(5));
  });

  it('names the operation that it ends, else the payment', async () => {
    const customer = new Customer(running);
    const [late, plain] = [await customer.authorized('4000000000001216'), await customer.authorized()];
    const cancel = reference();
    await customer.cancel(late, cancel);
    await customer.simulate(late, 'cancel_confirmed');
    await customer.simulate(plain, 'cancel_confirmed');
    assert.deepEqual(
      customer.sink.of(customer.account).map(({ reference }) => reference),
      [cancel, plain],
    );
    assert.equal((await customer.inquire(cancel)).kind, 'approved');
    assert.equal((await customer.capture(plain)).kind, 'refused');
  });

  it('ends what was planned: nothing happens a second time when its time comes', async () => {
    const customer = new Customer(running);
    const refunded = await customer.authorized('4000000000007726', true);
    const refund = reference();
    await customer.refund(refunded, 10_000, refund);
    await customer.simulate(refund, 'refund_denied');
    await customer.simulate(await customer.authorized('4000000000001133'), 'fraud');
    await customer.simulate(await customer.registered(99_990_001), 'expired');
    assert.equal(await customer.control.nextDue(customer.account), null);
    assert.equal((await customer.inquire(refund)).kind, 'refused');
  });

  it('does not pay a Pix after its expiry', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    const told = await customer.simulate(charge, 'paid', null, later(3_600_000));
    assert.deepEqual(told, { kind: 'not_allowed', why: 'The Pix charge is past its expiry.' });
    assert.equal((await customer.simulate(charge, 'paid', null, later(3_599_999))).kind, 'done');
  });

  it('charges back what was not refunded', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized(undefined, true);
    await customer.refund(payment, 1_000);
    await customer.simulate(payment, 'chargeback_requested');
    assert.equal(customer.sink.of(customer.account)[0]?.amount_centavos, 9_000);
  });

  it('does one thing when told the same twice at once', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    const told = await Promise.all(Array.from({ length: 10 }, () => customer.simulate(charge, 'paid')));
    assert.equal(told.filter(({ kind }) => kind === 'done').length, 1);
    assert.deepEqual(customer.sink.types(customer.account), ['pix.paid']);
  });
});
