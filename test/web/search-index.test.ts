/** The form in which the entries of the search travel to a browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { entriesOf, packedIndex } from '../../web/search-index.ts';
import type { SearchEntry } from '../../web/search-ranking.ts';

const operation = (method: string, words: string): SearchEntry => ({
  kind: 'operation',
  title: `${method} a payment`,
  where: `${method} /payments/{id}`,
  href: `/docs/reference#tag/payments/${method}/payments/{id}`,
  text: 'About a payment.',
  words,
});

const ENTRIES: readonly SearchEntry[] = [
  { kind: 'guide', title: 'Errors', where: 'Guide', href: '/docs/guides/errors', text: '', words: 'erro' },
  { kind: 'guide', title: 'Refused', where: 'Errors', href: '/docs/guides/errors#refused', text: 'Do.' },
  { kind: 'value', title: '429', where: 'Errors', href: '/docs/guides/errors#row-429', text: 'Do.' },
  { kind: 'value', title: '429', where: 'Errors', href: '/docs/guides/errors#row-429-2', text: '' },
  operation('GET', 'readPayment payments id amount status'),
  operation('POST', 'capturePayment payments amount id status'),
];

const sorted = (words = '') => words.split(' ').toSorted();
const comparable = (entries: readonly SearchEntry[]) =>
  entries.map((entry) => ({ ...entry, words: sorted(entry.words) }));

describe('the index of the search', () => {
  const index = packedIndex(ENTRIES);

  test('a browser gets the entries that were packed, with the same words', () => {
    const received = entriesOf(JSON.parse(JSON.stringify(index)));
    assert.deepEqual(comparable(received), comparable(ENTRIES));
    assert.equal('words' in received[1]!, false);
  });

  test('a word of several entries, and a text that repeats, are sent once', () => {
    const words = index.words.split(' ');
    assert.equal(new Set(words).size, words.length);
    const sent = JSON.stringify(index);
    for (const once of ['amount', 'About a payment.', '/docs/reference', '/docs/guides/errors'])
      assert.equal(sent.split(once).length - 1, 1, once);
  });
});
