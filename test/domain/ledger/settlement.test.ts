import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compareSettlement,
  type SettlementDay,
  type SettlementLine,
  type SettlementPosting,
  type SettlementType,
} from '../../../domain/ledger/settlement.ts';
import { type SummedTransfers, settlementPostings } from '../../../domain/ledger/settlement-postings.ts';

const DAY = '2026-11-20';
const AT = new Date('2026-11-20T15:00:00Z');

function line(reference: string, amount_centavos = 100, type: SettlementType = 'capture'): SettlementLine {
  return { reference, type, amount_centavos, occurredAt: AT };
}

function posting(
  reference: string,
  amount_centavos = 100,
  fields: Partial<SettlementPosting> = {},
): SettlementPosting {
  return {
    reference,
    type: 'capture',
    amount_centavos,
    paymentId: `payment of ${reference}`,
    day: DAY,
    ...fields,
  };
}

/** Reason, reference, the amount in the file and that in the ledger. */
function compared(files: Partial<SettlementDay>) {
  const day = { day: DAY, lines: [], before: [], after: [], postings: [], ...files };
  return compareSettlement(day).map((found) => [
    found.reason,
    found.reference,
    found.reported_centavos,
    found.recorded_centavos,
  ]);
}

describe('a settlement file and the ledger', () => {
  test('agree when each line has its posting', () => {
    const lines = [line('a'), line('b', 30, 'refund'), line('a', 70, 'dispute')];
    const postings = [
      posting('a', 70, { type: 'dispute' }),
      posting('b', 30, { type: 'refund' }),
      posting('a'),
    ];
    assert.deepEqual(compared({ lines, postings }), []);
  });

  test('differ in a line that the ledger does not have', () => {
    assert.deepEqual(compared({ lines: [line('a')] }), [['settlement_unknown', 'a', 100, null]]);
    const refund = posting('a', 100, { type: 'refund' });
    assert.deepEqual(compared({ lines: [line('a')], postings: [refund] }), [
      ['settlement_unknown', 'a', 100, null],
      ['settlement_missing', 'a', null, 100],
    ]);
  });

  test('differ in a line that comes twice', () => {
    assert.deepEqual(compared({ lines: [line('a'), line('a')], postings: [posting('a')] }), [
      ['settlement_doubled', 'a', 100, 100],
    ]);
    assert.deepEqual(compared({ lines: [line('a'), line('a', 99)], postings: [posting('a')] }), [
      ['settlement_doubled', 'a', 99, 100],
    ]);
  });

  test('differ in a line that the file of the day before has too', () => {
    const files = {
      before: [line('a')],
      lines: [line('a')],
      postings: [posting('a', 100, { day: '2026-11-19' })],
    };
    assert.deepEqual(compared(files), [['settlement_doubled', 'a', 100, 100]]);
  });

  test('differ in an amount, which is reported once', () => {
    assert.deepEqual(compared({ lines: [line('a', 101)], postings: [posting('a')] }), [
      ['settlement_amount_mismatch', 'a', 101, 100],
    ]);
  });

  test('differ in a posting that no file names', () => {
    assert.deepEqual(compared({ postings: [posting('a')] }), [['settlement_missing', 'a', null, 100]]);
  });

  test('agree around midnight: the file of the day before or after may have the line', () => {
    for (const near of ['before', 'after'] as const) {
      assert.deepEqual(compared({ [near]: [line('a')], postings: [posting('a')] }), []);
    }
    assert.deepEqual(
      compared({ lines: [line('a')], postings: [posting('a', 100, { day: '2026-11-21' })] }),
      [],
    );
  });

  test('leave the differences of other days to those days', () => {
    const postings = [posting('a', 100, { day: '2026-11-19' }), posting('b', 100, { day: '2026-11-21' })];
    assert.deepEqual(compared({ before: [line('x')], after: [line('b', 99)], postings }), []);
  });

  test('agree on a payment that was disputed twice', () => {
    const twice = [line('a', 100, 'dispute'), line('a', 100, 'dispute_reversed'), line('a', 100, 'dispute')];
    const postings = twice.map(({ type }) => posting('a', 100, { type }));
    assert.deepEqual(compared({ lines: twice, postings }), []);
  });

  test('agree on a dispute that a refund in progress makes smaller at the acquirer', () => {
    const open = posting('a', 100, { type: 'dispute', openRefunds_centavos: [40, 10] });
    for (const amount of [100, 60, 90, 50]) {
      assert.deepEqual(compared({ lines: [line('a', amount, 'dispute')], postings: [open] }), []);
    }
    assert.equal(compared({ lines: [line('a', 70, 'dispute')], postings: [open] }).length, 1);
  });
});

describe('the postings of a payment', () => {
  function summed(
    transactionId: string,
    kind: SummedTransfers['kind'],
    amount_centavos: number,
    reference = 'payment',
  ): SummedTransfers {
    return { transactionId, paymentId: 'p', reference, kind, amount_centavos, at: AT };
  }
  const postings = (...sums: SummedTransfers[]) =>
    settlementPostings(sums).map(({ type, reference, amount_centavos, day }) => [
      type,
      reference,
      amount_centavos,
      day,
    ]);

  test('are its capture, its refunds, and its dispute in both directions', () => {
    const found = postings(
      summed('1', 'capture', 100),
      summed('2', 'refund', 30, 'refund'),
      summed('3', 'dispute', 70),
      summed('4', 'dispute', -70),
    );
    assert.deepEqual(found, [
      ['capture', 'payment', 100, DAY],
      ['refund', 'refund', 30, DAY],
      ['dispute', 'payment', 70, DAY],
      ['dispute_reversed', 'payment', 70, DAY],
    ]);
  });

  test('a refund that completes in the dispute reduces the dispute', () => {
    const found = postings(
      summed('1', 'capture', 100),
      summed('2', 'dispute', 100),
      summed('3', 'dispute', -40, 'refund'),
      summed('3', 'refund', 40, 'refund'),
    );
    assert.deepEqual(found.slice(1), [
      ['dispute', 'payment', 60, DAY],
      ['refund', 'refund', 40, DAY],
    ]);
  });

  test('of entries that were written later, only the capture is one', () => {
    assert.deepEqual(postings(summed('1', 'capture', 100), summed('1', 'refund', 100)), [
      ['capture', 'payment', 100, DAY],
    ]);
  });
});
