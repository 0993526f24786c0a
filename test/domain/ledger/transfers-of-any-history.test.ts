import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { BY_INSTALLMENT } from '../../../domain/ledger/receivables.ts';
import type { CapturedAmounts } from '../../../domain/ledger/transfers.ts';
import { PAYMENT_METHODS } from '../../../domain/merchants/payment-methods.ts';
import { sumOf } from '../../../domain/money.ts';
import { methodRules } from '../../../domain/payments/methods/index.ts';
import { balancesOf } from '../../support/ledger/account-balances.ts';
import { amounts, history, terms } from '../../support/ledger/captured-payments.ts';
import { SPLIT_PAYMENT } from '../../support/ledger/split-lines.ts';

const seed = 20_261_123;

/** What may happen to a captured payment. `part` (0 to 1000) of what is possible. */
const STEP = fc.record(
  { what: fc.constantFrom('refund', 'dispute', 'win', 'lose'), part: fc.nat(1000) },
  { noNullPrototype: true },
);
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

const PAYMENT = fc.record(
  {
    payment: SPLIT_PAYMENT,
    method: fc.constantFrom(...PAYMENT_METHODS),
    installments: fc.integer({ min: 1, max: 12 }),
    steps: fc.array(STEP, { maxLength: 12 }),
  },
  { noNullPrototype: true },
);

/** The amounts after a step; the same where it is not possible. A dispute is about all that was not refunded. */
function next({ captured_centavos, ...now }: CapturedAmounts, { what, part }: Step): CapturedAmounts {
  const left = captured_centavos - now.refunded_centavos;
  const isDisputed = now.disputed_centavos > 0;
  const isLost = now.charged_back_centavos > 0;
  switch (what) {
    case 'refund': {
      // One that was on its way when the dispute was opened also succeeds after that, and leaves less in dispute.
      const rest = left - Math.floor((left * part) / 1000);
      return amounts(captured_centavos, captured_centavos - rest, isDisputed ? rest : 0, isLost ? rest : 0);
    }
    case 'dispute':
      return isDisputed || isLost
        ? { captured_centavos, ...now }
        : amounts(captured_centavos, now.refunded_centavos, left);
    case 'win':
      return { captured_centavos, ...now, disputed_centavos: 0 };
    case 'lose':
      return amounts(captured_centavos, now.refunded_centavos, 0, isDisputed || isLost ? left : 0);
  }
}

function stepsOf(captured: number, steps: readonly Step[]): CapturedAmounts[] {
  const all = [amounts(captured)];
  for (const step of steps) all.push(next(all.at(-1)!, step));
  return all;
}

describe('after any history', () => {
  const histories = PAYMENT.map(
    ({ payment: { amount_centavos, fee_centavos, lines }, method, installments, steps }) => ({
      lines,
      fee_centavos,
      terms: terms(
        { availableOn: methodRules(method).availableOn, installments, captured_centavos: amount_centavos },
        fee_centavos,
        ...lines,
      ),
      steps: stepsOf(amount_centavos, steps),
    }),
  );

  it('the entries add up to zero, and every transfer is an amount between two accounts', () => {
    fc.assert(
      fc.property(histories, ({ terms, steps }) => {
        const transfers = history(terms, ...steps);
        assert.equal(sumOf([...balancesOf(transfers).total.values()]), 0);
        for (const { debit, credit, amount_centavos } of transfers) {
          assert.notEqual(debit, credit);
          assert.ok(Number.isSafeInteger(amount_centavos) && amount_centavos > 0);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('the acquirer owes what was captured less what went back, and the disputed amount is in the account of disputes', () => {
    fc.assert(
      fc.property(histories, ({ terms, steps, fee_centavos }) => {
        const { total } = balancesOf(history(terms, ...steps));
        const { captured_centavos, refunded_centavos, disputed_centavos, charged_back_centavos } =
          steps.at(-1)!;
        const owed = captured_centavos - refunded_centavos - charged_back_centavos;
        assert.equal((total.get('acquirer_receivable') ?? 0) + owed, 0);
        assert.equal(total.get('disputes') ?? 0, disputed_centavos);
        assert.equal(total.get('platform_fees') ?? 0, fee_centavos);
      }),
      { seed, numRuns: 150 },
    );
  });

  it('every party has its share less fee, its part of the refunds, and its liability', () => {
    fc.assert(
      fc.property(histories, ({ terms: { parties, receivables }, steps }) => {
        const { total } = balancesOf(history({ parties, receivables }, ...steps));
        const { captured_centavos, refunded_centavos, disputed_centavos, charged_back_centavos } =
          steps.at(-1)!;
        const liable = parties.filter(({ isLiable, share_centavos }) => isLiable && share_centavos > 0);
        const liableShares = sumOf(liable.map(({ share_centavos }) => share_centavos));
        const lost = disputed_centavos + charged_back_centavos;
        for (const party of parties) {
          const { account, share_centavos, fee_centavos } = party;
          const taken = share_centavos - fee_centavos - (total.get(account) ?? 0);
          const refundPart = (refunded_centavos / captured_centavos) * share_centavos;
          const liability =
            liableShares > 0
              ? liable.includes(party)
                ? (share_centavos / liableShares) * lost
                : 0
              : account === 'merchant'
                ? lost
                : 0;
          // Each of the two is rounded to within two centavos. The sums above are exact.
          assert.ok(Math.abs(taken - refundPart - liability) < 4.01, `${account}: ${taken}`);
          if (liability === 0 && refunded_centavos === captured_centavos) assert.equal(taken, share_centavos);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('the order of refunds and disputes that were won do not change the balances', () => {
    fc.assert(
      fc.property(histories, ({ terms, steps }) => {
        const there = balancesOf(history(terms, ...steps));
        const atOnce = balancesOf(history(terms, steps.at(-1)!));
        assert.deepEqual(new Map([...there.total].sort()), new Map([...atOnce.total].sort()));
        assert.deepEqual(new Map([...there.byDay].sort()), new Map([...atOnce.byDay].sort()));
      }),
      { seed, numRuns: 150 },
    );
  });

  it('partial refunds take at most its share from a party, and a full refund takes exactly its share', () => {
    const refunds = fc.array(fc.nat(1000), { maxLength: 8 });
    fc.assert(
      fc.property(histories, refunds, ({ terms, steps: [captured] }, parts) => {
        const steps = stepsOf(captured!.captured_centavos, [
          ...parts.map((part) => ({ what: 'refund' as const, part })),
          { what: 'refund' as const, part: 1000 },
        ]);
        const reversals = history(terms, ...steps).filter(({ kind }) => kind === 'refund');
        for (const { account, share_centavos } of terms.parties) {
          // A refund never gives a party anything.
          assert.ok(reversals.every(({ credit }) => credit !== account));
          const own = reversals.filter(({ debit }) => debit === account);
          assert.equal(sumOf(own.map(({ amount_centavos }) => amount_centavos)), share_centavos);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('refunds take at most the whole of each receivable', () => {
    fc.assert(
      fc.property(histories, ({ terms, steps }) => {
        const refundsOnly = steps.map((step) => amounts(step.captured_centavos, step.refunded_centavos));
        const gross = history(terms, ...refundsOnly).filter(({ kind }) => kind !== 'fee');
        for (const [key, balance] of balancesOf(gross).byDay) {
          if (!key.startsWith('acquirer_receivable')) assert.ok(balance >= 0, `${key}: ${balance}`);
        }
      }),
      { seed, numRuns: 150 },
    );
  });

  it('a dispute after refunds takes exactly what is left of each installment', () => {
    fc.assert(
      fc.property(
        fc.nat(2 ** 40),
        fc.nat(1000),
        fc.integer({ min: 1, max: 12 }),
        (rest, part, installments) => {
          const captured = rest + 1;
          const card = terms({ availableOn: BY_INSTALLMENT, captured_centavos: captured, installments }, 0);
          const refund = Math.floor((captured * part) / 1000);
          const steps = [
            amounts(captured),
            amounts(captured, refund),
            amounts(captured, refund, captured - refund),
          ];
          const { byDay } = balancesOf(history(card, ...steps));
          assert.deepEqual(
            [...byDay.keys()].filter((key) => key.startsWith('merchant')),
            [],
          );
        },
      ),
      { seed },
    );
  });

  it('the parties get the whole of an installment', () => {
    fc.assert(
      fc.property(histories, ({ terms, steps: [captured] }) => {
        const shares = history(terms, captured!).filter(({ kind }) => kind === 'capture');
        for (const { availableOn } of terms.receivables) {
          const due = terms.receivables.filter((each) => each.availableOn === availableOn);
          const given = shares.filter((each) => each.availableOn === availableOn);
          assert.equal(
            sumOf(given.map(({ amount_centavos }) => amount_centavos)),
            sumOf(due.map(({ amount_centavos }) => amount_centavos)),
          );
        }
      }),
      { seed, numRuns: 150 },
    );
  });
});
