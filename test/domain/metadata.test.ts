import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mergeMetadata } from '../../domain/metadata.ts';

it('adds and replaces keys, removes those that are null, and leaves the stored object alone', () => {
  const stored = { a: '1', b: '2' };
  assert.deepEqual(mergeMetadata(stored, { a: null, b: '3', c: '4', d: null }), { b: '3', c: '4' });
  assert.deepEqual(stored, { a: '1', b: '2' });
});

it('treats __proto__ like any other key', () => {
  const merged = mergeMetadata(JSON.parse('{"__proto__":"old"}'), JSON.parse('{"__proto__":"new"}'));
  assert.deepEqual(Object.entries(merged), [['__proto__', 'new']]);
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.deepEqual(Object.entries(mergeMetadata(merged, JSON.parse('{"__proto__":null}'))), []);
});
