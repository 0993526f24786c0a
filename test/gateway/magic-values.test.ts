import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { passesLuhn } from '../../domain/cards/card-number.ts';
import { isValidCpf } from '../../domain/documents.ts';
import type { InquiryOutcome } from '../../gateway/acquirer.ts';
import { type HttpAcquirer, httpAcquirer } from '../../gateway/http-acquirer.ts';
import { MAGIC_VALUES } from '../../gateway/simulator/magic-values.ts';
import { until } from '../support/until.ts';
import {
  Customer,
  later,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';
import { CARDS, DOCUMENTS, LOST_APPROVED, PIX_AMOUNTS } from './support/magic-lives.ts';

describe('the table of magic values', () => {
  it('has numbers and documents with valid check digits, and amounts of R$ 999,900.01 to 999,900.99', () => {
    for (const { kind, value } of MAGIC_VALUES) {
      if (kind === 'card') assert.ok(passesLuhn(value) && value.length === 16, value);
      if (kind === 'document') assert.ok(isValidCpf(value), value);
      if (kind === 'amount') assert.match(value, /^999900(0[1-9]|[1-9]\d)$/);
    }
  });

  it('has each value once, and each is tested here', () => {
    const listed = MAGIC_VALUES.map(({ kind, value }) => `${kind} ${value}`);
    assert.equal(new Set(listed).size, listed.length);
    const tried = [
      ...Object.keys(CARDS).map((value) => `card ${value}`),
      ...Object.keys(PIX_AMOUNTS).map((value) => `amount ${value}`),
      ...Object.keys(DOCUMENTS).map((value) => `document ${value}`),
    ];
    assert.deepEqual(listed.toSorted(), tried.toSorted());
  });
});

describe('the effect of each magic value', { concurrency: 12 }, () => {
  let running: RunningAcquirer;
  /** With a short timeout, for calls whose answer is lost. */
  let impatient: HttpAcquirer;
  before(async () => {
    running = await startAcquirer();
    impatient = httpAcquirer({ url: running.simulator.url, secret: SECRET, timeout_ms: 400 });
  });
  after(async () => {
    await impatient.close();
    await running.stop();
  });

  /** Makes a call that is expected to end with `expected`. Returns its reference, and its outcome as words. */
  async function outcomeOf(
    customer: Customer,
    expected: string | undefined,
    call: (c: Customer, ref: string) => Promise<InquiryOutcome>,
  ) {
    const ref = reference();
    if (!expected?.startsWith('unknown')) return { ref, word: word(await call(customer, ref)) };
    const outcome = await call(Object.assign(Object.create(customer), { acquirer: impatient }), ref);
    const wanted = expected.split(' ').at(-1);
    await until(`inquiry says ${wanted}`, async () => word(await customer.inquire(ref)) === wanted);
    return { ref, word: `${word(outcome)}, then ${wanted}` };
  }

  const isOpen = (wordOfOpen: string) => wordOfOpen === 'approved' || wordOfOpen === LOST_APPROVED;

  async function notified(customer: Customer) {
    await customer.control.runDue(customer.account, later(10 * 86_400_000));
    const counts: Record<string, number> = {};
    for (const type of customer.sink.types(customer.account)) counts[type] = (counts[type] ?? 0) + 1;
    return counts;
  }

  for (const [number, expected] of Object.entries(CARDS)) {
    it(`card ${number}: ${expected.open}`, async () => {
      const customer = new Customer(running);
      const authorize = (c: Customer, ref: string) =>
        c.acquirer.perform(c.authorization(number, { reference: ref }));
      const first = await outcomeOf(customer, expected.open, authorize);
      const life: Record<string, unknown> = { open: first.word };
      if (isOpen(first.word)) {
        const captured = await outcomeOf(customer, expected.capture, (c, ref) =>
          c.capture(first.ref, 10_000, ref),
        );
        life.capture = captured.word;
        life.refund = (
          await outcomeOf(customer, expected.refund, (c, ref) => c.refund(first.ref, 5_000, ref))
        ).word;
        const second = await outcomeOf(customer, expected.open, authorize);
        life.cancel = (
          await outcomeOf(customer, expected.cancel, (c, ref) => c.cancel(second.ref, ref))
        ).word;
        await outcomeOf(customer, expected.open, authorize); // a third one, left alone
      }
      life.notified = await notified(customer);
      assert.deepEqual(life, { notified: {}, ...expected });
    });
  }

  for (const [amount, expected] of Object.entries(PIX_AMOUNTS)) {
    it(`Pix of ${amount} centavos: ${expected.open}`, async () => {
      const customer = new Customer(running);
      const register = (c: Customer, ref: string) => c.pix(Number(amount), ref);
      const first = await outcomeOf(customer, expected.open, register);
      const life: Record<string, unknown> = { open: first.word };
      if (isOpen(first.word)) {
        await customer.control.runDue(customer.account, later(10_000));
        life.refund = (
          await outcomeOf(customer, expected.refund, (c, ref) => c.refund(first.ref, 5_000, ref))
        ).word;
        const second = await outcomeOf(customer, expected.open, register);
        life.cancel = (
          await outcomeOf(customer, expected.cancel, (c, ref) => c.cancel(second.ref, ref))
        ).word;
      }
      life.notified = await notified(customer);
      assert.deepEqual(life, { notified: {}, ...expected });
    });
  }

  for (const [document, expected] of Object.entries(DOCUMENTS)) {
    it(`CPF ${document}: ${expected.card}`, async () => {
      const customer = new Customer(running);
      const buyer = { customerId: customer.customerId, name: 'Maria Silva', document };
      const byCard = await outcomeOf(customer, expected.card, (c, ref) =>
        c.acquirer.perform(c.authorization(undefined, { reference: ref, customer: buyer, capture: true })),
      );
      const byPix = await outcomeOf(customer, expected.pix, (c, ref) => c.pix(5_000, ref, document));
      const life = { card: byCard.word, pix: byPix.word, notified: await notified(customer) };
      assert.deepEqual(life, { notified: {}, ...expected });
    });
  }

  it('ordinary cards are approved, and ordinary Pix charges wait for the buyer', async () => {
    const customer = new Customer(running);
    const buyer = { customerId: customer.customerId, name: 'Maria Silva', document: '52998224725' };
    const asked = customer.authorization('5555555555554444', { customer: buyer });
    assert.equal((await customer.acquirer.perform(asked)).kind, 'approved');
    const charge = reference();
    assert.equal((await customer.pix(5_000, charge, '52998224725')).kind, 'approved');
    await customer.control.runDue(customer.account, later(3_599_000));
    assert.deepEqual(customer.sink.types(customer.account), []);
  });

  it('an amount is magic for Pix only', async () => {
    const customer = new Customer(running);
    const asked = customer.authorization(undefined, { amount_centavos: 99_990_002 });
    assert.equal((await customer.acquirer.perform(asked)).kind, 'approved');
  });

  it('a network token is refused for its number, and issued for any other', async () => {
    const customer = new Customer(running);
    const card = { number: '4000000000001281', expMonth: '12', expYear: '2052', cardId: customer.cardId };
    const asked = { kind: 'network_token', account: customer.account, requestedAt: NOON } as const;
    const { acquirer } = customer;
    const refused = await acquirer.perform({ ...asked, reference: reference(), card });
    assert.equal(refused.kind, 'refused');
    const other = { ...card, number: '4000000000000341' };
    const given = await acquirer.perform({ ...asked, reference: reference(), card: other });
    assert.ok(given.kind === 'approved');
    assert.match(given.networkToken, /^ntk_[0-9a-f]{32}$/);
  });
});

function word(outcome: InquiryOutcome): string {
  return outcome.kind === 'refused' ? outcome.refusal.code : outcome.kind;
}
