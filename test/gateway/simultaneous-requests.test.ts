import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { sign, signedRequest } from '../../gateway/signature.ts';
import { pendingPayment } from '../../gateway/simulator/create-payment.ts';
import type { NewPayment } from '../../gateway/simulator/operations.ts';
import { sentTogether } from '../../gateway/simulator/simulator.ts';
import {
  APPROVED_CARD,
  Customer,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';

const NO_FUNDS = '4000000000009995';
const STOLEN = '4000000000009979';
const REFUSED_CPF = '99990000298';

let running: RunningAcquirer;
before(async () => {
  running = await startAcquirer();
});
after(() => running.stop());

const word = (outcome: InquiryOutcome) => (outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind);

async function networkToken(customer: Customer, number: string): Promise<string> {
  const card = { number, expMonth: '12', expYear: '2052', cardId: customer.cardId };
  const asked = { account: customer.account, requestedAt: NOON, reference: reference(), card };
  const given = await customer.acquirer.perform({ kind: 'network_token', ...asked });
  assert.ok(given.kind === 'approved');
  return given.networkToken;
}

function withToken(customer: Customer, networkToken: string) {
  const { card: _, ...asked } = customer.authorization();
  return customer.acquirer.perform({ ...asked, networkToken, cardId: customer.cardId });
}

/** The same connections, and how many statements were sent. */
function countedPool(books: pg.Pool) {
  let sent = 0;
  const query = (...statement: Parameters<typeof books.query>) => {
    sent += 1;
    return books.query(...statement);
  };
  return { pool: { query } as unknown as pg.Pool, statements: () => sent };
}

/** An authorization that was approved, with the operation that creates it. */
function paymentOf({ account, customerId, cardId }: Customer): NewPayment {
  const ref = reference();
  const operation = {
    account,
    reference: ref,
    kind: 'authorization',
    paymentReference: null,
    method: 'credit_card',
    amount_centavos: 1_000,
    requestedAt: NOON,
  } as const;
  const customer = { id: customerId, document: null };
  const payment = {
    ...pendingPayment({ ...operation, customer }),
    method: 'credit_card',
    state: 'authorized',
    behaviour: 'approve',
    card: { id: cardId, first6: '424242', last4: '4242', goodThrough: '2052-12' },
  } as const;
  return { operation, outcome: { status: 'approved', acquirer_reference: ref }, payment };
}

describe('requests that arrive together', () => {
  it('each get the answer of their own card, which an inquiry repeats', async () => {
    const customers = Array.from({ length: 12 }, () => new Customer(running));
    const numbers = customers.map((_, i) => [APPROVED_CARD, NO_FUNDS, STOLEN][i % 3]!);
    const asked = customers.map((customer, i) => customer.authorization(numbers[i]));
    const outcomes = await Promise.all(asked.map((each) => running.acquirer.perform(each)));
    const expected: Record<string, string> = {
      [APPROVED_CARD]: 'approved',
      [NO_FUNDS]: 'insufficient_funds',
      [STOLEN]: 'stolen_card',
    };
    assert.deepEqual(
      outcomes.map(word),
      numbers.map((number) => expected[number]),
    );
    const codes = outcomes.map((each) => (each.kind === 'approved' ? each.authorizationCode : null));
    assert.equal(new Set(codes).size, 5, 'four approvals and null');
    const repeated = await Promise.all(customers.map((each, i) => each.inquire(asked[i]!.reference)));
    assert.deepEqual(repeated.map(word), outcomes.map(word));
  });

  it('each charge the card of their own network token', async () => {
    const customers = Array.from({ length: 4 }, () => new Customer(running));
    const tokens = await Promise.all(
      customers.map((customer, i) => networkToken(customer, i % 2 === 0 ? APPROVED_CARD : NO_FUNDS)),
    );
    const [first, second] = customers;
    const outcomes = await Promise.all([
      withToken(second!, 'ntk_unknown'),
      withToken(first!, tokens[1]!), // of another account
      ...customers.map((customer, i) => withToken(customer, tokens[i]!)),
    ]);
    assert.deepEqual(outcomes.map(word), [
      'do_not_honor',
      'do_not_honor',
      'approved',
      'insufficient_funds',
      'approved',
      'insufficient_funds',
    ]);
  });

  it('with the same reference get one answer, and the others their own', async () => {
    const customer = new Customer(running);
    const asked = customer.authorization();
    const others = [customer.authorization(), customer.authorization(NO_FUNDS)];
    const [other, refused, ...same] = await Promise.all(
      [...others, asked, asked, asked, asked].map((each) => customer.acquirer.perform(each)),
    );
    assert.deepEqual([word(other!), word(refused!)], ['approved', 'insufficient_funds']);
    assert.equal(same[0]!.kind, 'approved');
    for (const each of same) assert.deepEqual(each, same[0]);
    const { rows } = await running.books.query(
      'select count(*)::int as count from simulator.payments where account = $1',
      [customer.account],
    );
    assert.equal(rows[0].count, 3);
  });

  it('take the step of a script for their own customer', async () => {
    const [scripted, other] = [new Customer(running), new Customer(running)];
    await scripted.script('authorize', ['do_not_honor']);
    const outcomes = await Promise.all(
      [scripted, other].map((customer) => customer.acquirer.perform(customer.authorization())),
    );
    assert.deepEqual(outcomes.map(word), ['do_not_honor', 'approved']);
  });

  it('with the same reference, of which a script decides one, leave one payment with its own operation', async () => {
    for (let round = 0; round < 10; round++) {
      const scripted = new Customer(running);
      await scripted.script('authorize', ['do_not_honor']);
      const asked = scripted.authorization(APPROVED_CARD, { amount_centavos: 7_777 });
      const cardId = new Customer(running).cardId;
      const customer = { ...asked.customer, customerId: new Customer(running).customerId };
      const other = { ...asked, amount_centavos: 5_000, customer, card: { ...asked.card, cardId } };
      await Promise.all([asked, other].map((each) => running.acquirer.perform(each)));
      const { rows } = await running.books.query(
        `select o.amount_centavos = p.amount_centavos as agree, o.outcome ->> 'status' as outcome, p.state
           from simulator.operations o join simulator.payments p using (account, reference) where account = $1`,
        [scripted.account],
      );
      const isScripted = rows[0].state === 'refused';
      const outcome = isScripted ? 'refused' : 'approved';
      assert.deepEqual(rows, [{ agree: true, outcome, state: isScripted ? 'refused' : 'authorized' }]);
    }
  });

  it('each have their own expiry, and a refused one has none', async () => {
    const customers = Array.from({ length: 3 }, () => new Customer(running));
    const refused = new Customer(running);
    await Promise.all([refused.pix(5_000, reference(), REFUSED_CPF), ...customers.map((each) => each.pix())]);
    const expiriesOf = async ({ account }: Customer) => {
      const { rows } = await running.books.query(
        'select event, payment_reference from simulator.scheduled_events where account = $1',
        [account],
      );
      return rows;
    };
    assert.deepEqual(await expiriesOf(refused), []);
    for (const customer of customers) {
      const [reference] = customer.charges.keys();
      assert.deepEqual(await expiriesOf(customer), [{ event: 'expired', payment_reference: reference }]);
    }
  });

  it('are written in one statement, and each alone if Postgres refuses it', async () => {
    const customer = new Customer(running);
    const scripted = new Customer(running);
    await scripted.script('authorize', ['do_not_honor']);
    const { pool, statements } = countedPool(running.books);
    const { insertPayment } = sentTogether(pool);
    const twice = paymentOf(customer);
    const good = [paymentOf(scripted), paymentOf(customer), paymentOf(customer)].map(insertPayment);
    assert.deepEqual(await Promise.all(good), [false, true, true]);
    assert.equal(statements(), 1);
    const refused = { ...paymentOf(customer), outcome: { status: 'refused', text: '\ud800' } as never };
    const settled = await Promise.allSettled([twice, paymentOf(customer), refused, twice].map(insertPayment));
    const [first, other, broken, second] = settled.map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason.code,
    );
    assert.deepEqual([other, broken], [true, '22P02']);
    assert.deepEqual([first, second].toSorted(), [false, true]);
    assert.equal(statements(), 1 + 1 + 4);
  });

  it('do not fail because the database refuses another one', async () => {
    const customer = new Customer(running);
    const path = '/v1/authorizations';
    const broken = JSON.stringify({
      reference: reference(),
      account: customer.account,
      requested_at: NOON.toISOString(),
      method: 'credit_card',
      amount_centavos: 1_000,
      capture: true,
      customer: { id: '\ud800', document: null },
      card: { id: customer.cardId, number: APPROVED_CARD, exp_month: '12', exp_year: '52' },
    });
    const [failed, ...outcomes] = await Promise.all([
      fetch(running.simulator.url + path, {
        method: 'POST',
        body: broken,
        headers: { 'acquirer-signature': sign(SECRET, Date.now(), signedRequest(path, broken)) },
      }),
      ...[1, 2, 3].map(() => customer.acquirer.perform(customer.authorization())),
    ]);
    assert.equal(failed.status, 500);
    assert.deepEqual(outcomes.map(word), ['approved', 'approved', 'approved']);
  });
});
