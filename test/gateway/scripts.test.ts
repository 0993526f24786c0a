import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Outcome } from '../../gateway/acquirer.ts';
import { httpAcquirer } from '../../gateway/http-acquirer.ts';
import { until } from '../support/until.ts';
import {
  Customer,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';

describe('a scripted sequence', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  const authorize = (customer: Customer, number?: string) =>
    customer.acquirer.perform(customer.authorization(number));

  async function inTurn(times: number, call: () => Promise<Outcome>): Promise<string[]> {
    const words: string[] = [];
    for (let i = 0; i < times; i++) words.push(word(await call()));
    return words;
  }

  it('decides the next authorizations in its order, then is used up', async () => {
    const customer = new Customer(running);
    await customer.script('authorize', ['insufficient_funds', 'stolen_card', 'approve']);
    assert.deepEqual(await inTurn(4, () => authorize(customer, '4000000000000127')), [
      'insufficient_funds',
      'stolen_card',
      'approved',
      'invalid_security_code', // the number's own word again
    ]);
  });

  it('of a card leaves other cards of the customer alone', async () => {
    const customer = new Customer(running);
    await customer.script('authorize', ['lost_card'], 'card');
    const asked = customer.authorization();
    const other = { ...asked, card: { ...asked.card, cardId: randomUUID() } };
    assert.equal((await customer.acquirer.perform(other)).kind, 'approved');
    assert.equal(word(await authorize(customer)), 'lost_card');
  });

  it('of a customer decides a Pix charge too, and nothing of another merchant', async () => {
    const customer = new Customer(running);
    await customer.script('authorize', ['processing_error']);
    const stranger = Object.assign(new Customer(running), { customerId: customer.customerId });
    assert.equal(word(await stranger.pix()), 'approved');
    assert.equal(word(await customer.pix()), 'processing_error');
    assert.equal(word(await customer.pix()), 'approved');
  });

  it('continues with the next script when the first is used up, each operation in a queue of its own', async () => {
    const customer = new Customer(running);
    await customer.script('capture', ['processing_error']);
    await customer.script('cancel', ['do_not_honor']);
    await customer.script('capture', ['limit_exceeded'], 'card');
    await customer.script('refund', ['account_closed', 'approve']);
    const payment = await customer.authorized();
    assert.deepEqual(await inTurn(3, () => customer.capture(payment)), [
      'processing_error',
      'limit_exceeded',
      'approved',
    ]);
    assert.deepEqual(await inTurn(2, () => customer.refund(payment, 1_000)), ['account_closed', 'approved']);
    const other = await customer.authorized();
    assert.deepEqual(await inTurn(2, () => customer.cancel(other)), ['do_not_honor', 'approved']);
  });

  it('loses an answer with `time_out`, but not what was done', async (t) => {
    const customer = new Customer(running);
    await customer.script('authorize', ['time_out']);
    await customer.script('refund', ['time_out']);
    const impatient = httpAcquirer({ url: running.simulator.url, secret: SECRET, timeout_ms: 400 });
    t.after(() => impatient.close());
    const asked = customer.authorization(undefined, { capture: true, requestedAt: new Date() });
    assert.deepEqual(await impatient.perform(asked), { kind: 'unknown', cause: 'time_out' });
    await until('the authorization is found', async () => {
      const found = await customer.inquire(asked.reference, true);
      return found.kind === 'approved' && found.authorizationCode !== undefined;
    });
    const refund = {
      kind: 'refund',
      account: customer.account,
      reference: reference(),
      requestedAt: asked.requestedAt,
      method: 'credit_card',
      paymentReference: asked.reference,
      amount_centavos: 10_000,
    } as const;
    assert.equal((await impatient.perform(refund)).kind, 'unknown');
    await until(
      'the refund is found',
      async () => (await customer.inquire(refund.reference)).kind === 'approved',
    );
    assert.equal(word(await customer.refund(asked.reference, 1)), 'refund_too_high');
  });

  it('cannot override the records: what they do not allow is refused, and the step is used up', async () => {
    const customer = new Customer(running);
    await customer.script('capture', ['approve']);
    await customer.script('capture', ['limit_exceeded']);
    const payment = await customer.authorized();
    assert.deepEqual(await inTurn(3, () => customer.capture(payment, 10_001)), [
      'capture_too_high',
      'capture_too_high',
      'capture_too_high',
    ]);
  });

  it('is taken exactly once per outcome by 20 authorizations at once, each sent twice', async () => {
    const customer = new Customer(running);
    const outcomes = [
      ...Array<string>(5).fill('insufficient_funds'),
      ...Array<string>(5).fill('lost_card'),
      ...Array<string>(2).fill('approve'),
    ];
    await customer.script('authorize', outcomes);
    const asked = Array.from({ length: 20 }, () => customer.authorization('4000000000000069'));
    const results = await Promise.all([...asked, ...asked].map((a) => customer.acquirer.perform(a)));
    const first = results.slice(0, 20).map(word);
    assert.deepEqual(results.slice(20).map(word), first);
    const counts = Object.groupBy(first, (w) => w);
    assert.equal(counts.insufficient_funds?.length, 5);
    assert.equal(counts.lost_card?.length, 5);
    assert.equal(counts.approved?.length, 2);
    assert.equal(counts.expired_card?.length, 8);
  });

  it('is not used up by a repeated reference', async () => {
    const customer = new Customer(running);
    await customer.script('authorize', ['fraud', 'stolen_card']);
    const asked = customer.authorization();
    assert.deepEqual(await inTurn(3, () => customer.acquirer.perform(asked)), ['fraud', 'fraud', 'fraud']);
    assert.equal(word(await authorize(customer)), 'stolen_card');
  });

  const scriptOf = (customer: Customer, ...words: string[]) => ({
    scriptId: randomUUID(),
    account: customer.account,
    customerId: customer.customerId,
    cardId: null,
    outcomes: words.map((outcome) => ({ operation: 'authorize' as const, outcome })),
    createdAt: NOON,
  });

  it('is listed with what remains of it, newest first, until it is dropped', async () => {
    const customer = new Customer(running);
    const { control, account } = customer;
    const older = scriptOf(customer, 'lost_card', 'fraud');
    const newer = { ...scriptOf(customer, 'approve'), createdAt: new Date(NOON.getTime() + 1) };
    assert.deepEqual(await control.createScript(older), { ...older, remaining: older.outcomes });
    await control.createScript(newer);
    assert.equal(word(await authorize(customer)), 'lost_card');
    const listed = [
      { ...newer, remaining: newer.outcomes },
      { ...older, remaining: older.outcomes.slice(1) },
    ];
    assert.deepEqual(await control.listScripts(account, { limit: 10, after: null }), listed);
    assert.deepEqual(await control.listScripts(account, { limit: 1, after: null }), listed.slice(0, 1));
    const after = { createdAt: newer.createdAt.toISOString(), id: newer.scriptId };
    assert.deepEqual(await control.listScripts(account, { limit: 10, after }), listed.slice(1));

    const stranger = new Customer(running);
    assert.deepEqual(await stranger.control.listScripts(stranger.account, { limit: 10, after: null }), []);
    assert.equal(await stranger.control.dropScript(stranger.account, older.scriptId), false);
    assert.equal(await control.dropScript(account, older.scriptId), true);
    assert.equal(await control.dropScript(account, older.scriptId), false);
    assert.deepEqual(await control.listScripts(account, { limit: 10, after: null }), listed.slice(0, 1));
    assert.equal(word(await authorize(customer)), 'approved');
  });

  it('that is sent twice counts once', async () => {
    const customer = new Customer(running);
    const script = scriptOf(customer, 'lost_card');
    await customer.control.createScript(script);
    await customer.control.createScript(script);
    assert.deepEqual(await inTurn(2, () => authorize(customer)), ['lost_card', 'approved']);
    const stored = await customer.control.createScript({ ...script, createdAt: new Date() });
    assert.deepEqual(stored, { ...script, remaining: [] }, 'still known, though it is used up');
    assert.equal(word(await authorize(customer)), 'approved');
  });
});

function word(outcome: Outcome): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
}
