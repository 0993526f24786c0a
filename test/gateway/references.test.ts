import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';
import { Customer, type RunningAcquirer, reference, SECRET, startAcquirer } from './support/acquirer.ts';

describe('one reference, one operation', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  async function countPayments(account: string): Promise<number> {
    const { rows } = await running.books.query(
      'select count(*)::int as n from simulator.payments where account = $1',
      [account],
    );
    return rows[0].n;
  }

  it('gets the same answer for 30 simultaneous authorizations, of which one is made', async () => {
    const customer = new Customer(running);
    const asked = customer.authorization();
    const answers = await Promise.all(Array.from({ length: 30 }, () => customer.acquirer.perform(asked)));
    assert.equal(answers[0]?.kind, 'approved');
    for (const other of answers) assert.deepEqual(other, answers[0]);
    assert.equal(await countPayments(customer.account), 1);
  });

  it('gets the same answer from two simulators with the same records', async (t) => {
    const customer = new Customer(running);
    const second = await startSimulator({ databaseUrl: running.database.url, secret: SECRET });
    const other = httpAcquirer({ url: second.url, secret: SECRET });
    t.after(() => Promise.all([other.close(), second.stop()]));
    const asked = customer.authorization();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? other : customer.acquirer).perform(asked)),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(await countPayments(customer.account), 1);
  });

  it('captures, refunds and cancels once for any number of repeated requests', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    const [capture, refund] = [reference(), reference()];
    const captures = await Promise.all([1, 2, 3, 4].map(() => customer.capture(payment, 6_000, capture)));
    const refunds = await Promise.all([1, 2, 3, 4].map(() => customer.refund(payment, 4_000, refund)));
    for (const answer of captures) assert.deepEqual(answer, captures[0]);
    for (const answer of refunds) assert.deepEqual(answer, refunds[0]);
    assert.equal(captures[0]?.kind, 'approved');
    assert.equal(refunds[0]?.kind, 'approved');
    assert.equal((await customer.refund(payment, 2_000)).kind, 'approved');
    assert.equal((await customer.refund(payment, 1)).kind, 'refused');

    const other = await customer.authorized();
    const cancel = reference();
    const cancels = await Promise.all([1, 2, 3, 4].map(() => customer.cancel(other, cancel)));
    for (const answer of cancels) assert.deepEqual(answer, cancels[0]);
    assert.equal(cancels[0]?.kind, 'approved');
  });

  it('gets its refusal again, even if the operation would be allowed by now', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    const early = reference();
    const refused = await customer.refund(payment, 1_000, early);
    assert.equal(refused.kind, 'refused');
    await customer.capture(payment);
    assert.deepEqual(await customer.refund(payment, 1_000, early), refused);
  });

  it('gets `pending` again after its end, while an inquiry returns the end', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized('4000000000007726', true);
    const refund = reference();
    const pending = await customer.refund(payment, 1_000, refund);
    assert.equal(pending.kind, 'pending');
    assert.equal((await customer.inquire(refund)).kind, 'pending');
    await customer.simulate(refund, 'refund_succeeded');
    assert.equal((await customer.inquire(refund)).kind, 'approved');
    assert.deepEqual(await customer.refund(payment, 1_000, refund), pending);
  });

  it('gets no usable answer if it was used for another operation', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    const capture = reference();
    await customer.capture(payment, 5_000, capture);
    const conflict = { kind: 'unknown', cause: 'status_409' };
    assert.deepEqual(await customer.capture(payment, 6_000, capture), conflict);
    assert.deepEqual(await customer.cancel(payment, capture), conflict);
    assert.deepEqual(await customer.capture(payment, 5_000, payment), conflict);
  });

  it('belongs to its merchant: another merchant can use the same', async () => {
    const [one, two] = [new Customer(running), new Customer(running)];
    const asked = one.authorization();
    const other = two.authorization('4000000000009987', { reference: asked.reference });
    assert.equal((await one.acquirer.perform(asked)).kind, 'approved');
    assert.equal((await two.acquirer.perform(other)).kind, 'refused');
    assert.equal((await one.inquire(asked.reference)).kind, 'approved');
    assert.equal((await two.inquire(asked.reference)).kind, 'refused');
  });
});

describe('an inquiry', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  it('returns the first outcome of each operation unchanged', async () => {
    const customer = new Customer(running);
    const card = customer.authorization();
    const [capture, refund, charge] = [reference(), reference(), reference()];
    const answers = {
      [card.reference]: await customer.acquirer.perform(card),
      [capture]: await customer.capture(card.reference, 10_000, capture),
      [refund]: await customer.refund(card.reference, 20_000, refund),
      [charge]: await customer.pix(5_000, charge),
    };
    for (const [ref, answer] of Object.entries(answers)) {
      const found = ref === charge ? { ...answer, charge: { state: 'open' } } : answer;
      assert.deepEqual(await customer.inquire(ref), found);
      assert.deepEqual(await customer.inquire(ref, true), found);
    }
  });

  it('is answered, like the call, with the operation, the method and the amount', async () => {
    const customer = new Customer(running);
    const card = customer.authorization();
    const [capture, cancel, refund, charge] = [reference(), reference(), reference(), reference()];
    const unknown = reference();
    const asked = {
      [card.reference]: ['authorize', 'credit_card', 10_000, customer.acquirer.perform(card)],
      [capture]: ['capture', 'credit_card', 7_000, customer.capture(unknown, 7_000, capture)],
      [cancel]: ['cancel', 'credit_card', 10_000, customer.cancel(unknown, cancel)],
      [refund]: ['refund', 'credit_card', 300, customer.refund(unknown, 300, refund)],
      [charge]: ['pix_charge', 'pix', 5_000, customer.pix(5_000, charge)],
    } as const;
    for (const [ref, [operation, method, amount_centavos, answer]] of Object.entries(asked)) {
      const subject = { operation, method, amount_centavos };
      for (const outcome of [await answer, await customer.inquire(ref)]) {
        assert.deepEqual({ ...outcome, ...subject }, outcome, operation);
      }
    }
  });

  it('does not find a request that was not sent, which can arrive later', async () => {
    const customer = new Customer(running);
    const asked = customer.authorization();
    assert.deepEqual(await customer.inquire(asked.reference), { kind: 'not_found' });
    assert.equal((await customer.acquirer.perform(asked)).kind, 'approved');
  });

  it('with `seal` refuses it from then on, whatever it was', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    const asked = customer.authorization();
    const [capture, charge] = [reference(), reference()];
    for (const ref of [asked.reference, capture, charge]) {
      assert.deepEqual(await customer.inquire(ref, true), { kind: 'not_found' });
    }
    const late = [
      await customer.acquirer.perform(asked),
      await customer.capture(payment, 10_000, capture),
      await customer.pix(5_000, charge),
    ];
    for (const answer of late) assert.ok(answer.kind === 'refused' && answer.refusal.code === 'sealed');
    assert.deepEqual(await customer.inquire(asked.reference), { kind: 'not_found' });
    assert.equal((await customer.capture(payment)).kind, 'approved'); // the refused one changed nothing
  });

  it('that seals while the request arrives leaves one consistent outcome', async () => {
    const customer = new Customer(running);
    const pairs = Array.from({ length: 25 }, () => customer.authorization());
    await Promise.all(
      pairs.map(async (asked, i) => {
        const calls = [() => customer.acquirer.perform(asked), () => customer.inquire(asked.reference, true)];
        if (i % 2) calls.reverse();
        const kinds = (await Promise.all(calls.map((call) => call()))).map(({ kind }) => kind).sort();
        const booked = ['approved', 'approved'];
        assert.deepEqual(kinds, kinds.includes('approved') ? booked : ['not_found', 'refused']);
      }),
    );
  });

  it('seals a request that was lost on its way', async (t) => {
    const customer = new Customer(running);
    const impatient = httpAcquirer({ url: running.simulator.url, secret: SECRET, timeout_ms: 300 });
    t.after(() => impatient.close());
    const asked = customer.authorization('4000000000001125');
    assert.equal((await impatient.perform(asked)).kind, 'unknown');
    assert.equal((await customer.inquire(asked.reference, true)).kind, 'not_found');
    assert.equal((await customer.acquirer.perform(asked)).kind, 'refused');
  });
});
