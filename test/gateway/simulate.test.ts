import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SIMULATED_OUTCOMES } from '../../gateway/sandbox-control.ts';
import { Customer, later, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';
import { STATES } from './support/payment-states.ts';

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
        const result = await customer.simulate(ref, outcome);
        if (type) assert.deepEqual(result, { kind: 'done' });
        else assert.match(result.kind === 'not_allowed' ? result.why : result.kind, /^[A-Z].+ .+\.$/);
        // Delivered before the answer, so there is nothing to wait for.
        assert.deepEqual(customer.sink.types(customer.account).slice(before), type ? [type] : []);
        if (type && type !== 'chargeback.dispute') {
          assert.equal((await customer.simulate(ref, outcome)).kind, 'not_allowed', 'a second time');
        }
      });
    }
  }

  it('passes the reason on, and refuses an unknown one', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    const result = await customer.simulate(charge, 'refused', 'bad_weather');
    assert.deepEqual(result, { kind: 'not_allowed', why: '"bad_weather" is not a refusal reason.' });
    await customer.simulate(charge, 'refused', 'insufficient_funds', later(5));
    const [notification] = customer.sink.of(customer.account);
    assert.equal(notification?.refusal?.code, 'insufficient_funds');
    assert.equal(notification.refusal.retryable, true);
    assert.deepEqual(notification.occurredAt, later(5));
  });

  it('returns the operation that it ends, else the payment', async () => {
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

  it('replaces the planned end, which does not follow later', async () => {
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
    const result = await customer.simulate(charge, 'paid', null, later(3_600_000));
    assert.deepEqual(result, { kind: 'not_allowed', why: 'The Pix charge is past its expiry.' });
    assert.equal((await customer.simulate(charge, 'paid', null, later(3_599_999))).kind, 'done');
  });

  it('disputes the amount that was not refunded', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized(undefined, true);
    await customer.refund(payment, 1_000);
    await customer.simulate(payment, 'chargeback_requested');
    assert.equal(customer.sink.of(customer.account)[0]?.amount_centavos, 9_000);
  });

  it('changes the payment once for simultaneous equal requests', async () => {
    const customer = new Customer(running);
    const charge = await customer.registered();
    const result = await Promise.all(Array.from({ length: 10 }, () => customer.simulate(charge, 'paid')));
    assert.equal(result.filter(({ kind }) => kind === 'done').length, 1);
    assert.deepEqual(customer.sink.types(customer.account), ['pix.paid']);
  });
});
