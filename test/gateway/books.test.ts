import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Outcome } from '../../gateway/acquirer.ts';
import { Customer, NOON, type RunningAcquirer, reference, startAcquirer } from './support/acquirer.ts';

describe('the records of the simulated acquirer', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  async function book(customer: Customer, ref: string) {
    const { rows } = await running.books.query(
      `select state, captured_centavos::int as captured, refunded_centavos::int as refunded
        from simulator.payments where account = $1 and reference = $2`,
      [customer.account, ref],
    );
    return rows[0];
  }

  it('refuse a capture above the authorization, a second capture, and one of a voided or refused authorization', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    assert.equal(code(await customer.capture(payment, 10_001)), 'capture_too_high');
    assert.equal(code(await customer.capture(payment, 4_000)), 'approved');
    assert.equal(code(await customer.capture(payment, 1_000)), 'not_capturable');
    assert.deepEqual(await book(customer, payment), { state: 'captured', captured: 4_000, refunded: 0 });

    const voided = await customer.authorized();
    assert.equal(code(await customer.cancel(voided)), 'approved');
    assert.equal(code(await customer.capture(voided)), 'not_capturable');
    assert.equal(code(await customer.cancel(voided)), 'not_cancelable');

    const refused = await customer.authorized('4000000000000002');
    assert.equal(code(await customer.capture(refused)), 'not_capturable');
    assert.equal(code(await customer.capture(reference())), 'unknown_payment');
  });

  it('do not find a payment of another method, and cancel only whole payments', async () => {
    const customer = new Customer(running);
    const [payment, charge] = [await customer.authorized(), await customer.registered()];
    customer.charges.set(payment, 10_000);
    assert.equal(code(await customer.cancel(payment)), 'unknown_payment');
    customer.charges.delete(payment);
    customer.charges.delete(charge);
    assert.equal(code(await customer.cancel(charge)), 'unknown_payment');
    customer.charges.set(charge, 4_999);
    assert.equal(code(await customer.cancel(charge)), 'not_cancelable');
    customer.charges.set(charge, 5_000);
    assert.equal(code(await customer.cancel(charge)), 'approved');
  });

  it('refuse refunds above the captured amount, of payments without a capture, and in a dispute', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    assert.equal(code(await customer.refund(payment, 1)), 'not_refundable');
    await customer.capture(payment, 7_000);
    assert.equal(code(await customer.refund(payment, 7_001)), 'refund_too_high');
    assert.equal(code(await customer.refund(payment, 3_000)), 'approved');
    assert.equal(code(await customer.refund(payment, 4_001)), 'refund_too_high');
    await customer.simulate(payment, 'chargeback_requested');
    assert.equal(code(await customer.refund(payment, 1_000)), 'disputed');
    await customer.simulate(payment, 'chargeback_won');
    assert.equal(code(await customer.refund(payment, 4_000)), 'approved');
    assert.deepEqual(await book(customer, payment), { state: 'captured', captured: 7_000, refunded: 7_000 });
  });

  it('refuse to cancel a paid payment, and cancel an open Pix charge', async () => {
    const customer = new Customer(running);
    assert.equal(code(await customer.cancel(await customer.authorized(undefined, true))), 'not_cancelable');
    const charge = await customer.registered();
    assert.equal(code(await customer.cancel(charge)), 'approved');
    assert.deepEqual(await book(customer, charge), { state: 'voided', captured: 0, refunded: 0 });
    const paid = await customer.registered();
    await customer.simulate(paid, 'paid');
    assert.equal(code(await customer.cancel(paid)), 'not_cancelable');
    assert.equal(code(await customer.refund(paid, 5_000)), 'approved');
  });

  it('never refund more than was captured, with 50 simultaneous refunds', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized(undefined, true);
    const refunds = await Promise.all(Array.from({ length: 50 }, () => customer.refund(payment, 300)));
    assert.equal(refunds.filter(({ kind }) => kind === 'approved').length, 33);
    assert.equal(refunds.filter((refund) => code(refund) === 'refund_too_high').length, 17);
    assert.deepEqual(await book(customer, payment), { state: 'captured', captured: 10_000, refunded: 9_900 });
  });

  it('reserve the amounts of refunds in progress, and release that of a denied one', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized('4000000000005126', true);
    const refund = reference();
    assert.equal(code(await customer.refund(payment, 8_000, refund)), 'pending');
    assert.equal(code(await customer.refund(payment, 8_000)), 'refund_too_high');
    await customer.simulate(refund, 'refund_denied');
    assert.equal(code(await customer.refund(payment, 8_000)), 'pending');
  });

  it('accept exactly one of a capture and a cancellation', async () => {
    const customer = new Customer(running);
    const payments = await Promise.all(Array.from({ length: 20 }, () => customer.authorized()));
    await Promise.all(
      payments.map(async (payment, i) => {
        const calls = [() => customer.capture(payment), () => customer.cancel(payment)];
        if (i % 2) calls.reverse();
        const codes = (await Promise.all(calls.map((call) => call()))).map(code);
        assert.equal(codes.filter((c) => c === 'approved').length, 1, codes.join());
        const { state } = await book(customer, payment);
        const lost = state === 'captured' ? 'not_cancelable' : 'not_capturable';
        assert.ok(codes.includes(lost), codes.join());
      }),
    );
  });

  it('keep a capture that came before the end of a cancellation in progress', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized('4000000000001216');
    const cancel = reference();
    assert.equal(code(await customer.cancel(payment, cancel)), 'pending');
    assert.equal(code(await customer.capture(payment)), 'approved');
    await customer.control.runDue(customer.account, new Date(NOON.getTime() + 10_000));
    assert.deepEqual(customer.sink.types(customer.account), ['cancel.refused']);
    assert.equal((await customer.inquire(cancel)).kind, 'refused');
  });

  it('contain no card number, security code, name or document', async () => {
    const customer = new Customer(running);
    const planted = ['5399831619690403', '9173', 'PLANTED HOLDER', 'Planted Name', '11144477735'];
    const [number, securityCode, holder, name, document] = planted as [
      string,
      string,
      string,
      string,
      string,
    ];
    const asked = customer.authorization(number, {
      customer: { customerId: customer.customerId, name, document },
    });
    const card = { ...asked.card, holder, securityCode };
    await customer.acquirer.perform({ ...asked, card });
    const token = { account: customer.account, requestedAt: NOON, reference: reference(), card };
    await customer.acquirer.perform({ kind: 'network_token', ...token });
    await customer.pix(5_000, reference(), document);

    const { rows: tables } = await running.books.query(
      `select relname as name from pg_class where relnamespace = 'simulator'::regnamespace and relkind = 'r'`,
    );
    let whole = '';
    for (const { name: table } of tables) {
      const { rows } = await running.books.query(
        `select coalesce(string_agg(t::text, ' '), '') as text from simulator.${table} t`,
      );
      whole += rows[0].text;
    }
    assert.match(whole, /539983/);
    for (const secret of [number, holder, name, document, number.slice(4, 12)]) {
      assert.ok(!whole.includes(secret), secret);
    }
    assert.doesNotMatch(whole.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, ''), /\b9173\b/);
  });

  it('are checked by constraints of the database', async () => {
    const customer = new Customer(running);
    const payment = await customer.authorized();
    for (const wrong of ['captured_centavos = 1', "state = 'captured', captured_centavos = 10001"]) {
      await assert.rejects(
        running.books.query(`update simulator.payments set ${wrong} where reference = $1`, [payment]),
        { code: '23514' },
      );
    }
  });
});

function code(outcome: Outcome): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
}
