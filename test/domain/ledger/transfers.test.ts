import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BY_INSTALLMENT } from '../../../domain/ledger/receivables.ts';
import { type CapturedAmounts, transfersOf } from '../../../domain/ledger/transfers.ts';
import { balancesOf } from '../../support/ledger/account-balances.ts';
import { amounts, history, NOTHING, terms, totals } from '../../support/ledger/captured-payments.ts';
import { splitLine } from '../../support/ledger/split-lines.ts';

describe('the ledger entries of a payment', () => {
  const SHARED = terms(
    {},
    50,
    splitLine(1, 'percentage', 30, { isLiable: true }),
    splitLine(2, 'fixed', 100, { isLiable: true, bearsFee: true }),
    splitLine(3, 'percentage', 20),
  );
  const CAPTURED = {
    acquirer_receivable: -1000,
    merchant: 400,
    'recipient:r1': 300,
    'recipient:r2': 50,
    'recipient:r3': 200,
    platform_fees: 50,
  };

  it('give each party its share at the capture, and the fee to the platform', () => {
    assert.deepEqual(totals(history(SHARED, amounts(1000))), CAPTURED);
    assert.deepEqual(transfersOf(terms({}, 10), { before: NOTHING, after: amounts(1000) }), [
      {
        kind: 'capture',
        debit: 'acquirer_receivable',
        credit: 'merchant',
        amount_centavos: 1000,
        availableOn: '2026-11-23',
      },
      {
        kind: 'fee',
        debit: 'merchant',
        credit: 'platform_fees',
        amount_centavos: 10,
        availableOn: '2026-11-23',
      },
    ]);
  });

  it('take a refund from each party in proportion to its share, and keep the fee', () => {
    assert.deepEqual(totals(history(SHARED, amounts(1000), amounts(1000, 500))), {
      acquirer_receivable: -500,
      merchant: 200,
      'recipient:r1': 150,
      // Half of the gross share of 100; the fee of 50 stays.
      platform_fees: 50,
      'recipient:r3': 100,
    });
    assert.deepEqual(totals(history(SHARED, amounts(1000), amounts(1000, 1000))), {
      'recipient:r2': -50,
      platform_fees: 50,
    });
  });

  it('take a dispute from the liable recipients in proportion to their shares', () => {
    assert.deepEqual(totals(history(SHARED, amounts(1000), amounts(1000, 0, 1000))), {
      ...CAPTURED,
      'recipient:r1': 300 - 750,
      'recipient:r2': 50 - 250,
      disputes: 1000,
    });
  });

  it('give a won dispute back, and a lost one to the acquirer', () => {
    const disputed = [amounts(1000), amounts(1000, 0, 1000)];
    assert.deepEqual(totals(history(SHARED, ...disputed, amounts(1000))), CAPTURED);
    assert.deepEqual(totals(history(SHARED, ...disputed, amounts(1000, 0, 0, 1000))), {
      merchant: 400,
      'recipient:r1': -450,
      'recipient:r2': -200,
      'recipient:r3': 200,
      platform_fees: 50,
    });
  });

  it('take a dispute from the merchant if no recipient is liable', () => {
    const all = terms({}, 0, splitLine(1, 'percentage', 100));
    assert.deepEqual(totals(history(all, amounts(1000), amounts(1000, 0, 1000))), {
      acquirer_receivable: -1000,
      merchant: -1000,
      'recipient:r1': 1000,
      disputes: 1000,
    });
  });

  it('take a dispute from the merchant if no liable recipient has a share', () => {
    const small = terms({ captured_centavos: 5 }, 0, splitLine(1, 'percentage', 1, { isLiable: true }));
    assert.deepEqual(totals(history(small, amounts(5), amounts(5, 0, 5))), {
      acquirer_receivable: -5,
      disputes: 5,
    });
  });

  it('take a refund from the pending money while the payment is not available', () => {
    const card = terms({ availableOn: BY_INSTALLMENT, captured_centavos: 100, installments: 3 }, 6);
    const balances = (...steps: CapturedAmounts[]) =>
      Object.fromEntries(
        [...balancesOf(history(card, ...steps)).byDay].filter(([key]) => key.startsWith('merchant')),
      );
    assert.deepEqual(balances(amounts(100)), {
      'merchant 2026-12-23': 32,
      'merchant 2027-01-22': 31,
      'merchant 2027-02-21': 31,
    });
    assert.deepEqual(balances(amounts(100), amounts(100, 50)), {
      'merchant 2026-12-23': 15,
      'merchant 2027-01-22': 14,
      'merchant 2027-02-21': 15,
    });
    assert.deepEqual(balances(amounts(100), amounts(100, 100)), {
      'merchant 2026-12-23': -2,
      'merchant 2027-01-22': -2,
      'merchant 2027-02-21': -2,
    });
  });

  it('do not exist for a move that changes no amount', () => {
    assert.deepEqual(transfersOf(SHARED, { before: NOTHING, after: NOTHING }), []);
    assert.deepEqual(transfersOf(SHARED, { before: amounts(1000, 7), after: amounts(1000, 7) }), []);
  });

  it('refuse amounts that are impossible', () => {
    const wrong: [CapturedAmounts, CapturedAmounts][] = [
      [NOTHING, amounts(0, 1)],
      [NOTHING, amounts(999)],
      [NOTHING, amounts(1000, 1001)],
      [NOTHING, amounts(1000, -1)],
      [NOTHING, amounts(1000, 1.5)],
      [NOTHING, amounts(1000, 500, 300, 201)],
      [amounts(1000), NOTHING],
    ];
    for (const [before, after] of wrong) {
      assert.throws(() => transfersOf(SHARED, { before, after }), RangeError, JSON.stringify(after));
    }
  });
});
