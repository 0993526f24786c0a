import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readOutcome } from '../../gateway/wire.ts';
import { Customer, NOON, type RunningAcquirer, startAcquirer } from './support/acquirer.ts';

describe('the answer to an inquiry about a payment', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  it('has what has happened in its disputes, in order', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized(undefined, true);
    const before = await customer.inquire(payment);
    assert.ok(before.kind === 'approved' && before.disputes === undefined);
    const steps = [
      'chargeback_requested',
      'chargeback_won',
      'chargeback_requested',
      'chargeback_lost',
    ] as const;
    for (const step of steps) await customer.simulate(payment, step);

    const { disputes = [] } = (await customer.inquire(payment)) as Extract<
      typeof before,
      { kind: 'approved' }
    >;
    assert.deepEqual(
      disputes.map(({ state }) => `chargeback_${state}`),
      steps,
    );
    const [first, won, second, lost] = disputes.map(({ dispute }) => dispute);
    assert.equal(won?.reference, first?.reference);
    assert.notEqual(second?.reference, first?.reference);
    assert.equal(second?.previousReference, first?.reference);
    assert.equal(lost?.reference, second?.reference);
    assert.equal(first?.reason, 'fraudulent');
    assert.ok(first?.evidenceDueAt instanceof Date);
    assert.ok(disputes.every(({ amount_centavos }) => amount_centavos > 0));
  });
});

describe('the disputes in an answer', () => {
  const change = (fields: object = {}) => ({
    state: 'requested',
    amount_centavos: 100,
    occurred_at: NOON.toISOString(),
    dispute: { id: 'd-1', previous_id: null, reason: 'general', evidence_due_at: null },
    ...fields,
  });
  const answer = (disputes: unknown) => ({
    status: 'approved',
    operation: 'authorization',
    method: 'credit_card',
    amount_centavos: 100,
    acquirer_reference: 'a-1',
    disputes,
  });
  /** The changes, and `cut` if the answer has more that cannot be read. */
  const read = (disputes: unknown) => {
    const outcome = readOutcome(answer(disputes));
    assert.equal(outcome?.kind, 'approved');
    const states = outcome.disputes?.map(({ state }) => state) ?? [];
    return outcome.areDisputesCut ? [...states, 'cut'] : states;
  };

  it('are cut before one that cannot be read, because later ones follow from it', () => {
    for (const wrong of [
      null,
      'requested',
      change({ state: 'closed' }),
      change({ amount_centavos: -1 }),
      change({ amount_centavos: '100' }),
      change({ occurred_at: 'today' }),
      change({ occurred_at: undefined }),
    ]) {
      const name = JSON.stringify(wrong);
      assert.deepEqual(read([change(), wrong, change({ state: 'won' })]), ['requested', 'cut'], name);
      assert.deepEqual(read([wrong]), ['cut'], name);
    }
  });

  it('are cut if they are no list, and may be missing', () => {
    for (const other of [{}, 'none', 0, false]) assert.deepEqual(read(other), ['cut']);
    for (const other of [undefined, null, []]) assert.deepEqual(read(other), []);
  });

  it('may lack what a notification may lack', () => {
    assert.deepEqual(read([change({ dispute: undefined })]), ['requested']);
  });
});
