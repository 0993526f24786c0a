import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readSettlementFile, writeSettlementFile } from '../../gateway/settlement-file.ts';

const LINE = 'aa1,capture,100,2026-11-20T15:00:00.000Z';
const file = (...lines: string[]) => ['reference,type,amount,occurred_at', ...lines].join('\n');

describe('a settlement file', () => {
  test('is read as it was written', () => {
    const lines = readSettlementFile(
      file(LINE, 'ab2,dispute_reversed,9007199254740,2026-11-20T12:00:00-03:00'),
    );
    assert.deepEqual(lines, [
      {
        reference: 'aa1',
        type: 'capture',
        amount_centavos: 100,
        occurredAt: new Date('2026-11-20T15:00:00Z'),
      },
      {
        reference: 'ab2',
        type: 'dispute_reversed',
        amount_centavos: 9_007_199_254_740,
        occurredAt: new Date('2026-11-20T15:00:00Z'),
      },
    ]);
    assert.deepEqual(readSettlementFile(writeSettlementFile(lines)), lines);
  });

  test('can be empty, and can have the line ends, the mark and the spaces of a spreadsheet', () => {
    assert.deepEqual(readSettlementFile(writeSettlementFile([])), []);
    const text = `\uFEFF${file(LINE.replaceAll(',', ', '))}\r\n\r\n`.replace('at\n', 'at\r\n');
    assert.equal(readSettlementFile(text).length, 1);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['', 'The first line must be reference,type,amount,occurred_at.'],
    [file(LINE, 'aa1,capture,100'), 'Line 3 must have 4 fields.'],
    [file('a b,capture,100,2026-11-20T15:00:00Z'), 'Line 2 has no valid reference.'],
    [file('aa1,payout,100,2026-11-20T15:00:00Z'), /Line 2 must have one of the types capture, /.source],
    ...['0', '-1', '1.50', '1e3', ''].map(
      (amount) =>
        [
          file(`aa1,capture,${amount},2026-11-20T15:00:00Z`),
          'Line 2 must have an amount in centavos',
        ] as const,
    ),
    ...['2026-11-20', '2026-11-20T15:00:00', 'yesterday', '2026-13-20T15:00:00Z'].map(
      (time) => [file(`aa1,capture,100,${time}`), 'Line 2 must have a time with its offset.'] as const,
    ),
  ];
  for (const [text, message] of wrong) {
    test(`is refused: ${message} ${JSON.stringify(text.slice(35))}`, () => {
      assert.throws(() => readSettlementFile(text), { message: new RegExp(message) });
    });
  }
});
