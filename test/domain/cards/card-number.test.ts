import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  CARD_BRANDS,
  detectBrand,
  hasNetworkToken,
  isValidLength,
  passesLuhn,
  securityCodeLength,
} from '../../../domain/cards/card-number.ts';
import vectors from '../../vectors/cards.json' with { type: 'json' };

/** The sandbox's magic numbers (contract row 10.1). */
const MAGIC = [
  '4242424242424242 4000000000000002 4000000000009995 4000000000009987 4000000000009979 4000000000000069',
  '4000000000000127 4000000000000119 4000000000000341 4100000000000019 4000000000000259',
].flatMap((line) => line.split(' '));

describe('the check digit', () => {
  for (const { number } of vectors.luhn_valid) {
    it(`fits ${number}`, () => assert.equal(passesLuhn(number), true));
  }
  for (const number of vectors.luhn_invalid) {
    it(`does not fit ${number}`, () => assert.equal(passesLuhn(number), false));
  }
  it('fits the magic numbers', () => {
    for (const number of MAGIC) assert.equal(passesLuhn(number), true, number);
  });

  it('is one of ten digits, and detects a change of any one digit', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 11, maxLength: 18 });
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (base, place, step) => {
        const fitting = [...'0123456789'].map((digit) => base + digit).filter(passesLuhn);
        assert.equal(fitting.length, 1);
        const at = place % base.length;
        const changed = base.slice(0, at) + ((Number(base[at]) + step) % 10) + fitting[0]!.slice(at + 1);
        assert.equal(passesLuhn(changed), false);
      }),
    );
  });

  it('fits only digits', () => {
    for (const text of ['', '4242 4242 4242 4242', '4242-4242-4242-4242', '4242424242424242\n', '٤٢']) {
      assert.equal(passesLuhn(text), false, JSON.stringify(text));
    }
  });
});

describe('the brand', () => {
  for (const { number, brand } of vectors.luhn_valid) {
    it(`of ${number} is ${brand}, in a valid length`, () => {
      assert.equal(detectBrand(number), brand);
      assert.equal(isValidLength(number, detectBrand(number)!), true);
    });
  }
  for (const number of vectors.no_supported_brand) {
    it(`of ${number} is not supported`, () => assert.equal(detectBrand(number), null));
  }

  it('of a magic number is visa', () => {
    for (const number of MAGIC) assert.equal(detectBrand(number), 'visa', number);
  });

  const edges: [string, string, string | null][] = [
    [
      'elo',
      '650057 650081 651680 651704 401178 438935 451416 457631 504175 506699 506778 509000 509999',
      'elo',
    ],
    ['elo', '627780 636297 636368 650031 650405 650598 650901 651652 655000 655058', 'elo'],
    ['hipercard', '606282 637095 637568 637599 637609 637612', 'hipercard'],
    ['just beside elo: discover', '650056 651651 651705 655059', 'discover'],
    ['just beside elo: visa', '401177 401180 438934 457633', 'visa'],
    ['mastercard', '510000 559999 222100 272099 503143', 'mastercard'],
    ['outside mastercard', '222099 272100 500000 560000', null],
    ['amex', '340000 370000', 'amex'],
    ['diners', '300000 305999 309500 360000 380000 399999', 'diners'],
    ['jcb', '352800 358999', 'jcb'],
    ['discover', '601100 644000 649999 650000', 'discover'],
    ['Troy inside discover', '650052 650082 650170', null],
    ['Maestro, UnionPay, Mir', '639000 675964 620000 622126 220000', null],
    ['beside jcb and amex', '352700 359000 350000', null],
  ];
  for (const [name, prefixes, brand] of edges) {
    it(`by prefix: ${name}`, () => {
      for (const prefix of prefixes.split(' '))
        assert.equal(detectBrand(prefix.padEnd(16, '0')), brand, prefix);
    });
  }

  it('is unknown for text that is not a number, and for too few digits', () => {
    for (const text of ['', '5', '6', 'elo', '4242x']) assert.equal(detectBrand(text), null, text);
  });
});

describe('what follows from the brand', () => {
  it('lengths', () => {
    assert.equal(isValidLength('4'.repeat(16), 'visa'), true);
    assert.equal(isValidLength('4'.repeat(15), 'visa'), false);
    assert.equal(isValidLength('3'.repeat(15), 'amex'), true);
    assert.equal(isValidLength('3'.repeat(16), 'amex'), false);
    assert.equal(isValidLength('3'.repeat(14), 'diners'), true);
    assert.equal(isValidLength('5'.repeat(19), 'mastercard'), false);
  });

  it('a security code of four digits for amex, three for the others', () => {
    for (const brand of CARD_BRANDS) assert.equal(securityCodeLength(brand), brand === 'amex' ? 4 : 3, brand);
  });

  it('network tokens for visa and mastercard only', () => {
    assert.deepEqual(CARD_BRANDS.filter(hasNetworkToken), ['visa', 'mastercard']);
  });
});
