import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  cutText,
  exceedsCount,
  exceedsDepth,
  findUnstorableText,
  isStorableText,
} from '../../domain/text.ts';

describe('a cut text', () => {
  it('ends before the limit with a whole character', () => {
    assert.equal(cutText('Padaria', 7), 'Padaria');
    assert.equal(cutText('Padaria', 6), 'Padari');
    assert.equal(cutText('Pão 🥖🥖', 6), 'Pão 🥖');
    assert.equal(cutText('Pão 🥖🥖', 7), 'Pão 🥖');
    assert.equal(cutText('Pão 🥖🥖', 5), 'Pão');
  });
});

describe('text that Postgres cannot store', () => {
  it('contains NUL or a lone surrogate', () => {
    for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800'])
      assert.equal(isStorableText(text), false);
    for (const text of ['', 'ação', '🙂', '\u0001', '\uFFFD']) assert.equal(isStorableText(text), true);
  });

  it('is found at its dotted path, in document order', () => {
    const value = { b: ['ok', 'x\0'], a: { deep: [{ c: '\ud800' }] }, n: 1, t: true, z: null };
    assert.deepEqual(findUnstorableText(value), ['b.1', 'a.deep.0.c']);
    assert.deepEqual(findUnstorableText({ fine: ['ç', { x: '🙂' }] }), []);
  });

  it('is found in a value by itself, and in keys', () => {
    assert.deepEqual(findUnstorableText('\0'), ['']);
    assert.deepEqual(findUnstorableText({ metadata: { 'a\0b': 1, '\ud800': '\0' } }), [
      'metadata.a\uFFFDb',
      'metadata.\uFFFD',
    ]);
  });

  it('is found under __proto__, which JSON.parse keeps as a key', () => {
    assert.deepEqual(findUnstorableText(JSON.parse('{"__proto__":{"x":"\\u0000"}}')), ['__proto__.x']);
  });

  it('is found however deep, without overflowing the stack', () => {
    let value: unknown = '\0';
    for (let i = 0; i < 100_000; i += 1) value = [value];
    assert.match(findUnstorableText(value)[0]!, /^0(\.0)+\.?$/);
  });

  it('is reported at most a hundred times, and long keys are shortened', () => {
    assert.equal(findUnstorableText(Array.from({ length: 5000 }, () => '\0')).length, 100);
    const [path] = findUnstorableText({ ['k'.repeat(100_000)]: '\0' });
    assert.equal(path, 'k'.repeat(64));
  });

  it('is found if and only if the JSON contains it', () => {
    const string = fc.string({ unit: fc.constantFrom('a', '\0', '\ud800', '🙂'), maxLength: 3 });
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), string, (value, text) => {
        const bad = /\0|\ud800/.test(text) || /\0/.test(text) || !text.isWellFormed();
        const clean = findUnstorableText(value).length === 0;
        const found = findUnstorableText({ value, text }).includes('text');
        assert.equal(found, bad);
        assert.equal(findUnstorableText([value, text]).length === 0, clean && !bad);
      }),
    );
  });
});

describe('depth of JSON text', () => {
  const depthOf = (text: string) => {
    let depth = 0;
    while (exceedsDepth(text, depth)) depth += 1;
    return depth;
  };

  it('counts objects and arrays, and siblings as one level', () => {
    assert.deepEqual(
      ['1', '"x"', '[]', '{}', '[[]]', '[[],[],{"a":[]}]', '{"a":{"b":[1]}}'].map(depthOf),
      [0, 0, 1, 1, 2, 3, 3],
    );
  });

  it('does not count in strings, also with escapes', () => {
    assert.deepEqual(
      ['["[[[["]', '["\\"[[["]', '["\\\\",[]]', '{"{{{":"}}}"}', '["\\\\\\"[["]'].map(depthOf),
      [1, 1, 2, 1, 1],
    );
  });

  it('is found for text that is not JSON too', () => {
    assert.deepEqual([']]]]', '"[[[', '\\', '', ']['].map(depthOf), [0, 0, 0, 0, 0]);
    assert.equal(exceedsDepth('['.repeat(200_000), 64), true);
    assert.equal(exceedsDepth('['.repeat(200_000), 200_000), false);
  });

  it('is that of the parsed value', () => {
    const measure = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(measure)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 2), (value, indent) => {
        assert.equal(depthOf(JSON.stringify(value, null, indent)), measure(value));
      }),
    );
  });
});

describe('the number of values in a JSON text', () => {
  it('is counted from commas, colons and brackets outside strings', () => {
    for (const [text, count] of [
      ['1', 0],
      ['[]', 1],
      ['[1,2,3]', 3],
      ['{"a":{"b":[]},"c":1}', 4],
      ['["a,b{[\\",[,"]', 1],
      ['["\\\\",{}]', 3],
    ] as const) {
      assert.equal(exceedsCount(text, count), false, text);
      assert.equal(count > 0 && !exceedsCount(text, count - 1), false, text);
    }
  });
});
