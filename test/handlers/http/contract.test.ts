import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readContract } from '../../../handlers/http/contract.ts';

const LIST = '/customers/{identifier}/cards';

/** A contract of one operation, with these fields of its own. */
function contractWith(operation: object, method = 'get') {
  const whole = { operationId: 'listCustomerCards', tags: ['customers'], responses: {}, ...operation };
  return { security: [{ ApiKey: [] }], paths: { [LIST]: { [method]: whole } } };
}

function read(operation: object, method?: string) {
  return readContract(contractWith(operation, method)).operations.get('listCustomerCards')!;
}

describe('the permission that the contract asks for an operation', () => {
  it('is what the operation names, whatever its tag is', () => {
    assert.equal(read({ 'x-permission': 'cards:read' }).permission, 'cards:read');
    assert.equal(read({ 'x-permission': 'cards:write' }, 'post').permission, 'cards:write');
  });

  it('is none where no key is taken', () => {
    assert.equal(read({ security: [] }).permission, null);
  });

  const wrong: [string, object, string][] = [
    ['is missing', {}, 'get'],
    ['names no resource of ours', { 'x-permission': 'card:read' }, 'get'],
    ['names a resource alone', { 'x-permission': 'cards' }, 'get'],
    ['lets a read pass as a write', { 'x-permission': 'cards:write' }, 'get'],
    ['lets a write pass as a read', { 'x-permission': 'cards:read' }, 'delete'],
    ['stands where no key is taken', { security: [], 'x-permission': 'cards:read' }, 'get'],
  ];
  for (const [what, operation, method] of wrong) {
    it(`stops the start where it ${what}`, () => {
      assert.throws(() => read(operation, method), /^Error: The operation listCustomerCards .* x-permission/);
    });
  }
});

describe('whether an operation moves money', () => {
  it('is what the contract says', () => {
    assert.equal(read({ 'x-permission': 'cards:write' }, 'post').movesMoney, false);
    assert.equal(read({ 'x-permission': 'cards:write', 'x-moves-money': true }, 'post').movesMoney, true);
  });
});
