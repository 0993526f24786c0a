import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatDocument, isValidCnpj, isValidCpf } from '../../domain/documents.ts';
import vectors from '../vectors/documents.json' with { type: 'json' };

describe('CPF', () => {
  for (const value of vectors.cpf.valid) it(`accepts ${value}`, () => assert.equal(isValidCpf(value), true));
  for (const value of vectors.cpf.invalid)
    it(`refuses ${value}`, () => assert.equal(isValidCpf(value), false));

  it('refuses a repeated digit, although the check digits fit', () => {
    for (const digit of '0123456789') assert.equal(isValidCpf(digit.repeat(11)), false);
  });

  it('refuses other lengths, letters, spaces, line ends and digits of other scripts', () => {
    const wrong = [
      '',
      '1234567890',
      '123456789090',
      '1234567890A',
      ' 12345678909',
      '12345678909\n',
      '١٢٣٤٥٦٧٨٩٠٩',
    ];
    for (const value of wrong) assert.equal(isValidCpf(value), false, JSON.stringify(value));
  });

  it('has one pair of check digits for nine digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_998 }), (number) => {
        const base = String(number).padStart(9, '0');
        fc.pre(!/^(.)\1*$/.test(base));
        const pairs = Array.from({ length: 100 }, (_, i) => base + String(i).padStart(2, '0'));
        assert.equal(pairs.filter(isValidCpf).length, 1);
      }),
    );
  });
});

describe('CNPJ', () => {
  for (const value of vectors.cnpj.valid)
    it(`accepts ${value}`, () => assert.equal(isValidCnpj(value), true));
  for (const value of vectors.cnpj.invalid)
    it(`refuses ${value}`, () => assert.equal(isValidCnpj(value), false));

  it('refuses 14 zeros, whose check digits would fit', () =>
    assert.equal(isValidCnpj('0'.repeat(14)), false));

  it('refuses letters among the check digits, lower case, other lengths and line ends', () => {
    const wrong = [
      '12ABC34501DE3A',
      '12abc34501de35',
      '12ABC34501DE3',
      '12ABC34501DE355',
      '12ABC34501DE35\n',
      '',
    ];
    for (const value of wrong) assert.equal(isValidCnpj(value), false, JSON.stringify(value));
  });

  it('refuses a lower-case letter with any check digits', () => {
    const pairs = Array.from({ length: 100 }, (_, i) => `12aBC34501DE${String(i).padStart(2, '0')}`);
    assert.deepEqual(pairs.filter(isValidCnpj), []);
  });

  it('has one pair of check digits for twelve characters', () => {
    const character = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 12, maxLength: 12 }), (base) => {
        fc.pre(base !== '0'.repeat(12));
        const pairs = Array.from({ length: 100 }, (_, i) => base + String(i).padStart(2, '0'));
        assert.equal(pairs.filter(isValidCnpj).length, 1);
      }),
    );
  });

  it('detects a changed digit', () => {
    const valid = '11222333000181';
    for (let at = 0; at < 14; at += 1) {
      const changed = valid.slice(0, at) + ((Number(valid[at]) + 1) % 10) + valid.slice(at + 1);
      assert.equal(isValidCnpj(changed), false, changed);
    }
  });
});

describe('a document for people', () => {
  it('has dots, and a dash before the check digits', () => {
    assert.deepEqual(['52998224725', '11222333000181', '12ABC34501DE35'].map(formatDocument), [
      '529.982.247-25',
      '11.222.333/0001-81',
      '12.ABC.345/01DE-35',
    ]);
  });
});
