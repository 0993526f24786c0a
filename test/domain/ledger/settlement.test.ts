import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  compareSettlement,
  type DisputedRefund,
  differenceKey,
  type FiledLine,
  type SettlementDay,
  type SettlementPosting,
  type SettlementType,
} from '../../../domain/ledger/settlement.ts';
import { type SummedTransfers, settlementPostings } from '../../../domain/ledger/settlement-postings.ts';
import { DAY, hour, summed } from '../../support/ledger/summed-transfers.ts';

const AT = hour(15);

function line(
  reference: string,
  amount_centavos = 100,
  type: SettlementType = 'capture',
  day = DAY,
): FiledLine {
  return { reference, type, amount_centavos, occurredAt: AT, day };
}

/** A line of the file of another day. */
const on = (day: string, filed: FiledLine): FiledLine => ({ ...filed, day });

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

function compare(known: Partial<SettlementDay>) {
  return compareSettlement({ day: DAY, lines: [], postings: [], ...known });
}

/** Reason, reference, the amount in the file and that in the ledger. */
function compared(known: Partial<SettlementDay>) {
  return compare(known).differences.map((found) => [
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

  test('differ in a line that an earlier file has too, however long ago', () => {
    for (const day of ['2026-11-19', '2026-11-18', '2026-11-15']) {
      const lines = [line('a'), on(day, line('a'))];
      const postings = [posting('a', 100, { day })];
      assert.deepEqual(compared({ lines, postings }), [['settlement_doubled', 'a', 100, 100]]);
      assert.deepEqual(compared({ day, lines, postings }), [], 'the earlier line is right');
      assert.equal(compare({ lines, postings }).agrees(line('a')), false);
    }
  });

  test('agree on a line of an earlier file whose posting came late, and on a late line', () => {
    for (const day of ['2026-11-15', '2026-11-24']) {
      const known = { lines: [on(day, line('a'))], postings: [posting('a')] };
      assert.deepEqual(compared(known), []);
      assert.ok(compare(known).agrees(line('a')));
      assert.equal(compare(known).agrees(line('b')), false);
    }
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
    for (const near of ['2026-11-19', '2026-11-21']) {
      assert.deepEqual(compared({ lines: [on(near, line('a'))], postings: [posting('a')] }), []);
    }
    assert.deepEqual(
      compared({ lines: [line('a')], postings: [posting('a', 100, { day: '2026-11-21' })] }),
      [],
    );
  });

  test('leave the differences of other days to those days', () => {
    const postings = [posting('a', 100, { day: '2026-11-19' }), posting('b', 100, { day: '2026-11-21' })];
    const lines = [on('2026-11-19', line('x')), on('2026-11-21', line('b', 99))];
    assert.deepEqual(compared({ lines, postings }), []);
  });

  test('agree on a payment that was disputed twice', () => {
    const twice = [line('a', 100, 'dispute'), line('a', 100, 'dispute_reversed'), line('a', 100, 'dispute')];
    const postings = twice.map(({ type }) => posting('a', 100, { type }));
    assert.deepEqual(compared({ lines: twice, postings }), []);
  });
});

function refund(amount_centavos: number, status: DisputedRefund['status'], from: number, to: number) {
  const times = { createdAt: hour(from), updatedAt: hour(to) };
  return { paymentId: 'p', reference: `r${amount_centavos}`, amount_centavos, status, ...times };
}

describe('a dispute, and a refund that had no result when it was opened', () => {
  const opened = (amount: number) => line('payment', amount, 'dispute');
  const won = (amount: number) => ({
    ...line('payment', amount, 'dispute_reversed'),
    occurredAt: hour(18),
  });
  const denied = line('r40', 40, 'dispute');
  const OPENED = summed('1', 'dispute', 100);
  const WON = summed('2', 'dispute', -100, 'payment', 18);

  /** Differences of the lines with a ledger of these sums, apart from the capture of 100. */
  const found = (lines: FiledLine[], sums: SummedTransfers[], ...refunds: ReturnType<typeof refund>[]) =>
    compared({
      lines: [line('payment'), ...lines],
      postings: settlementPostings([summed('0', 'capture', 100), ...sums], refunds),
    }).map(([reason]) => reason);

  for (const status of ['in_progress', 'denied', 'succeeded'] as const) {
    const later = [refund(40, status, 14, 20), refund(10, status, 14, 20)] as const;

    test(`agree if it is ${status} later, with and without the refund`, () => {
      for (const amount of [100, 60, 90, 50]) {
        assert.deepEqual(found([opened(amount), won(amount)], [OPENED, WON], ...later), []);
      }
      assert.deepEqual(found([opened(70)], [OPENED], ...later), ['settlement_amount_mismatch']);
    });
  }

  test('agree if it is denied in the dispute, and the acquirer adds its amount', () => {
    const inDispute = refund(40, 'denied', 14, 16);
    assert.deepEqual(found([opened(100), won(100)], [OPENED, WON], inDispute), []);
    assert.deepEqual(found([opened(60), denied, won(100)], [OPENED, WON], inDispute), []);
    assert.deepEqual(found([opened(60), denied], [OPENED], inDispute), []);
    assert.deepEqual(found([opened(60), won(100)], [OPENED, WON], inDispute), ['settlement_missing']);
    assert.deepEqual(found([opened(60), denied, won(60)], [OPENED, WON], inDispute), [
      'settlement_amount_mismatch',
    ]);
  });

  test('differ if it had its result before', () => {
    assert.deepEqual(found([opened(60)], [OPENED], refund(40, 'denied', 13, 14)), [
      'settlement_amount_mismatch',
    ]);
    assert.deepEqual(found([opened(100), denied], [OPENED]), ['settlement_unknown']);
  });
});

test('each line is read a few times, however many disputes a file has', () => {
  const COUNT = 300;
  let reads = 0;
  const counted = (filed: FiledLine): FiledLine => ({
    ...filed,
    get type() {
      reads += 1;
      return filed.type;
    },
  });
  const payments = Array.from({ length: COUNT }, (_, at) => {
    const denied = { ...refund(40, 'denied', 14, 16), reference: `r${at}` };
    const disputed = { captured_centavos: 100, held_centavos: 0, refunds: [denied] };
    const [reference, of] = [`p${at}`, { paymentId: `${at}`, disputed }];
    const lines = [
      line(reference, 60, 'dispute'),
      line(denied.reference, 40, 'dispute'),
      { ...line(reference, 100, 'dispute_reversed'), occurredAt: hour(18) },
    ];
    const postings = [
      posting(reference, 100, { ...of, type: 'dispute' }),
      posting(denied.reference, 40, { paymentId: of.paymentId, type: 'dispute', isConditional: true }),
      posting(reference, 100, { ...of, type: 'dispute_reversed' }),
    ];
    return { lines: lines.map(counted), postings };
  });
  const lines = payments.flatMap((one) => one.lines);
  assert.deepEqual(compared({ lines, postings: payments.flatMap((one) => one.postings) }), []);
  assert.ok(reads < 30 * lines.length, `${reads / lines.length} times`);
});

describe('the disputes of a payment, in total', () => {
  const captured = summed('0', 'capture', 10_000);
  const refunded = (at: number) => summed('2', 'refund', 2_500, 'r2500', at);
  const filed = (amount: number, type: SettlementType = 'dispute') => line('payment', amount, type);
  const refundLine = line('r2500', 2_500, 'refund');

  /** As `compared`, with a refund of 2,500 that was requested at 14 o'clock. */
  const found = (lines: FiledLine[], sums: SummedTransfers[], to: number) =>
    compared({
      lines: [line('payment', 10_000), refundLine, ...lines],
      postings: settlementPostings([captured, ...sums], [refund(2_500, 'succeeded', 14, to)]),
    });

  test('differ if a refund succeeded in the dispute, and the acquirer has not subtracted it', () => {
    const sums = [summed('1', 'dispute', 10_000), summed('2', 'dispute', -2_500, 'r2500', 16), refunded(16)];
    assert.deepEqual(found([filed(7_500)], sums, 16), []);
    assert.deepEqual(found([filed(10_000)], sums, 16), [
      ['settlement_amount_mismatch', 'payment', 10_000, 7_500],
    ]);
  });

  test('agree if the merchant won a dispute before our records had the refund', () => {
    const sums = [
      summed('1', 'dispute', 10_000),
      summed('3', 'dispute', -10_000, 'payment', 16),
      refunded(17),
    ];
    assert.deepEqual(found([filed(7_500), filed(7_500, 'dispute_reversed')], sums, 17), []);
    assert.deepEqual(found([filed(10_000), filed(7_500, 'dispute_reversed')], sums, 17), [
      ['settlement_amount_mismatch', 'payment', 2_500, 0],
    ]);
  });

  test('differ if the ledger has another amount than that of its own entries', () => {
    const withDispute = (amount: number) => [refunded(14.5), summed('1', 'dispute', amount)];
    assert.deepEqual(found([filed(7_500)], withDispute(7_500), 14.5), []);
    for (const amount of [10_000, 7_501, 1]) {
      assert.deepEqual(found([filed(7_500)], withDispute(amount), 14.5), [
        ['settlement_amount_mismatch', 'payment', 7_500, amount],
      ]);
    }
    const lines = [filed(7_500), filed(7_500, 'dispute_reversed')];
    const won = (amount: number) => summed('3', 'dispute', -amount, 'payment', 16);
    assert.deepEqual(found(lines, [...withDispute(7_500), won(1)], 14.5), [
      ['settlement_amount_mismatch', 'payment', 7_500, 1],
    ]);
    // The errors cancel each other out.
    const both = found(lines, [...withDispute(10_000), won(10_000)], 14.5);
    assert.deepEqual(
      both.map(([reason]) => reason),
      ['settlement_amount_mismatch', 'settlement_amount_mismatch'],
    );
  });

  test('belong to the last day of their lines and postings, and do not agree', () => {
    const postings = settlementPostings(
      [captured, summed('1', 'dispute', 10_000), summed('2', 'dispute', -2_500, 'r2500', 63), refunded(63)],
      [refund(2_500, 'succeeded', 14, 63)],
    );
    const lines = [line('payment', 10_000), filed(10_000), on('2026-11-22', refundLine)];
    const at = (day: string) => compare({ day, lines, postings });
    assert.deepEqual(
      [DAY, '2026-11-21', '2026-11-22'].map((day) => at(day).differences.length),
      [0, 0, 1],
    );
    assert.equal(at(DAY).agrees(filed(10_000)), false);
    assert.equal(at(DAY).agrees(refundLine), true);
  });

  test('are one difference, although the payment has another refund later, and another one than that of a line', () => {
    const sums = [summed('1', 'dispute', 10_000), summed('2', 'dispute', -2_500, 'r2500', 16), refunded(16)];
    const later = { ...posting('r100', 100, { type: 'refund', paymentId: 'p' }), day: '2026-11-23' };
    const postings = settlementPostings([captured, ...sums], [refund(2_500, 'succeeded', 14, 16)]);
    const lines = [line('payment', 10_000), refundLine, filed(10_000)];
    const [first] = compare({ lines, postings }).differences;
    const refiled = [...lines, line('r100', 100, 'refund', later.day)];
    const [again] = compare({ day: later.day, lines: refiled, postings: [...postings, later] }).differences;
    assert.equal(differenceKey(later.day, again!), differenceKey(DAY, first!));
    const wrong = compare({ lines: [...lines.slice(0, 2), filed(6_500)], postings }).differences;
    assert.equal(wrong.length, 1);
    assert.notEqual(differenceKey(DAY, wrong[0]!), differenceKey(DAY, first!));
  });
});
