import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Customer, NOON, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';

describe('evidence against a dispute', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  function send({ acquirer, account }: Customer, paymentReference: string, own = reference()) {
    return acquirer.perform({
      kind: 'dispute_evidence',
      reference: own,
      account,
      requestedAt: NOON,
      paymentReference,
      text: 'Entregue.',
    });
  }

  async function disputed(customer: Customer): Promise<string> {
    const payment = await customer.authorized(undefined, true);
    await customer.simulate(payment, 'chargeback_requested');
    return payment;
  }

  it('is accepted while the dispute is open, and contests it without a notification', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    const sent = customer.sink.types(customer.account).length;
    for (let i = 0; i < 2; i += 1) assert.equal((await send(customer, payment)).kind, 'approved');
    assert.equal(customer.sink.types(customer.account).length, sent);
    assert.deepEqual(await customer.simulate(payment, 'chargeback_won'), { kind: 'done' });
  });

  it('is refused for a payment without a dispute, for a decided one, and for an unknown payment', async () => {
    const customer = new Customer(running);
    const won = await disputed(customer);
    await customer.simulate(won, 'chargeback_won');
    for (const payment of [await customer.authorized(undefined, true), won, reference()]) {
      const outcome = await send(customer, payment);
      assert.equal(outcome.kind === 'refused' && outcome.refusal.code, 'not_disputed');
    }
  });

  it('gets the first answer again when it is repeated', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    const own = reference();
    const first = await send(customer, payment, own);
    await customer.simulate(payment, 'chargeback_lost');
    assert.deepEqual(await send(customer, payment, own), first);
  });
});
