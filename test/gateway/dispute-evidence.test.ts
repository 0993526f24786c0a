import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SubmitEvidence } from '../../gateway/acquirer.ts';
import { Customer, later, NOON, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';

describe('evidence against a dispute', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  function send(
    { acquirer, account }: Customer,
    paymentReference: string,
    own = reference(),
    others: Partial<SubmitEvidence> = {},
  ) {
    return acquirer.perform({
      kind: 'dispute_evidence',
      reference: own,
      account,
      requestedAt: NOON,
      paymentReference,
      disputeReference: null,
      text: 'Entregue.',
      ...others,
    });
  }

  const inquire = ({ acquirer, account }: Customer, own: string, seal = false) =>
    acquirer.inquireEvidence({ reference: own, account, seal });

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
    assert.deepEqual(await inquire(customer, own), first);
  });

  it('gets no usable answer if its reference was used for another text', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    const own = reference();
    await send(customer, payment, own);
    const conflict = { kind: 'unknown', cause: 'status_409' };
    assert.deepEqual(await send(customer, payment, own, { text: 'Outro.' }), conflict);
  });

  it('is stored once by its reference, and not if it was refused', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    const own = reference();
    await Promise.all([1, 2, 3, 4].map(() => send(customer, payment, own)));
    await send(customer, await customer.authorized(undefined, true));
    const { rows } = await running.books.query(
      'select reference, payment_reference, text from simulator.dispute_evidence where account = $1',
      [customer.account],
    );
    assert.deepEqual(rows, [{ reference: own, payment_reference: payment, text: 'Entregue.' }]);
  });

  it('is refused after the deadline, and for another dispute of the payment', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    for (const [others, code] of [
      [{ requestedAt: later(9 * 86_400_000) }, 'evidence_too_late'],
      [{ disputeReference: 'another' }, 'not_disputed'],
    ] as const) {
      const outcome = await send(customer, payment, undefined, others);
      assert.equal(outcome.kind === 'refused' && outcome.refusal.code, code);
    }
  });

  it('is refused when it arrives after its reference was sealed', async () => {
    const customer = new Customer(running);
    const payment = await disputed(customer);
    const own = reference();
    assert.deepEqual(await inquire(customer, own), { kind: 'not_found' });
    assert.deepEqual(await inquire(customer, own, true), { kind: 'not_found' });
    const outcome = await send(customer, payment, own);
    assert.equal(outcome.kind === 'refused' && outcome.refusal.code, 'sealed');
  });
});
