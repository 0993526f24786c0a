import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContract } from '../../../handlers/http/contract.ts';

const LIST = '/customers/{identifier}/cards';

/** A contract of one operation with these extension fields. */
function contractWith(operation: object, method = 'get') {
  const whole = { operationId: 'listCustomerCards', tags: ['customers'], responses: {}, ...operation };
  return { security: [{ ApiKey: [] }], paths: { [LIST]: { [method]: whole } } };
}

function read(operation: object, method?: string) {
  return readContract(contractWith(operation, method)).operations.get('listCustomerCards')!;
}

describe('the permission that an operation needs', () => {
  it('comes from x-permission of the operation, not from its tag', () => {
    assert.equal(read({ 'x-permission': 'cards:read' }).permission, 'cards:read');
    assert.equal(read({ 'x-permission': 'cards:write' }, 'post').permission, 'cards:write');
  });

  it('is none if the operation takes no key', () => {
    assert.equal(read({ security: [] }).permission, null);
  });

  const wrong: [string, object, string][] = [
    ['is missing', {}, 'get'],
    ['names no resource of ours', { 'x-permission': 'card:read' }, 'get'],
    ['names a resource alone', { 'x-permission': 'cards' }, 'get'],
    ['lets a read pass as a write', { 'x-permission': 'cards:write' }, 'get'],
    ['lets a write pass as a read', { 'x-permission': 'cards:read' }, 'delete'],
    ['has a permission although no key is needed', { security: [], 'x-permission': 'cards:read' }, 'get'],
  ];
  for (const [what, operation, method] of wrong) {
    it(`prevents the start if it ${what}`, () => {
      assert.throws(() => read(operation, method), /^Error: The operation listCustomerCards .* x-permission/);
    });
  }
});

describe('other extension fields of an operation', () => {
  const READ = { 'x-permission': 'cards:read' };

  it('have defaults', () => {
    const { sandboxOnly, forbiddenCode, swaps401And403 } = read(READ);
    assert.deepEqual([sandboxOnly, forbiddenCode, swaps401And403], [false, 'forbidden', false]);
  });

  it('are read', () => {
    const { sandboxOnly, forbiddenCode, swaps401And403 } = read({
      ...READ,
      'x-sandbox-only': true,
      'x-forbidden-code': 'access_denied',
      'x-swaps-401-and-403': true,
    });
    assert.deepEqual([sandboxOnly, forbiddenCode, swaps401And403], [true, 'access_denied', true]);
  });

  const wrong: [string, object, string][] = [
    ['has a field that is not known', { 'x-sandbox': true }, 'get'],
    ['has a flag that is not true', { 'x-sandbox-only': 'yes' }, 'get'],
    ['has a code that is none', { 'x-forbidden-code': 'Access denied' }, 'get'],
    ['moves money by reading', { 'x-moves-money': true }, 'get'],
  ];
  for (const [what, operation, method] of wrong) {
    it(`prevents the start if it ${what}`, () => {
      assert.throws(
        () => read({ ...READ, ...operation }, method),
        /^Error: The operation listCustomerCards cannot be/,
      );
    });
  }
});

describe('x-moves-money of an operation', () => {
  it('is read', () => {
    assert.equal(read({ 'x-permission': 'cards:write' }, 'post').movesMoney, false);
    assert.equal(read({ 'x-permission': 'cards:write', 'x-moves-money': true }, 'post').movesMoney, true);
  });
});
