import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SummedTransfers, settlementPostings } from '../../../domain/ledger/settlement-postings.ts';
import { DAY, summed } from '../../support/ledger/summed-transfers.ts';

describe('the postings of a payment', () => {
  const postings = (...sums: SummedTransfers[]) =>
    settlementPostings(sums, []).map(({ type, reference, amount_centavos, day }) => [
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
