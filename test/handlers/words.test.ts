import assert from 'node:assert/strict';
import { it } from 'node:test';
import { domainWords, wireWords } from '../../handlers/words.ts';

const wire = {
  line_1: 'a',
  postal_code: 'b',
  account_last_4: 'c',
  state: 'd',
  partners: [{ role_description: 'e', phone: null }],
  metadata: { line_1: 'kept', postalCode: 'kept' },
};
const domain = {
  line1: 'a',
  postalCode: 'b',
  accountLast4: 'c',
  state: 'd',
  partners: [{ roleDescription: 'e', phone: null }],
  metadata: { line_1: 'kept', postalCode: 'kept' },
};

it('converts names in both directions at every depth, except in metadata', () => {
  assert.deepEqual(domainWords(wire), domain);
  assert.deepEqual(wireWords(domain), wire);
});

it('converts the names of types, too', () => {
  const { line1, accountLast4 } = domainWords(wire);
  const { line_1, account_last_4 } = wireWords(domain);
  assert.deepEqual([line1, accountLast4], [line_1, account_last_4]);
  // @ts-expect-error the wire's name is gone
  assert.equal(domainWords(wire).postal_code, undefined);
  // @ts-expect-error the domain's name is gone
  assert.equal(wireWords(domain).postalCode, undefined);
});
