import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CardInput, cardDataOf, validateCard } from '../../../domain/cards/card-data.ts';

const TODAY = '2026-08-31';
const GOOD: CardInput = {
  number: '4111111111111111',
  holder: 'FULANO DE TAL',
  expMonth: '12',
  expYear: '30',
  securityCode: '123',
};
const AMEX: CardInput = { ...GOOD, number: '378282246310005', securityCode: '1234' };

function fieldsRefused(change: CardInput, today = TODAY): string[] {
  return validateCard({ ...GOOD, ...change }, today).map((violation) => violation.field);
}

describe('a card that can be stored', () => {
  it('has no violations', () => {
    assert.deepEqual(validateCard(GOOD, TODAY), []);
    assert.deepEqual(validateCard(AMEX, TODAY), []);
  });

  it('is read with its expiry as MM and YY, and its brand', () => {
    assert.deepEqual(cardDataOf({ ...GOOD, holder: ' FULANO DE TAL ', expMonth: '9', expYear: '2031' }), {
      number: '4111111111111111',
      holder: 'FULANO DE TAL',
      expMonth: '09',
      expYear: '31',
      securityCode: '123',
      brand: 'visa',
    });
    assert.equal(cardDataOf({ ...GOOD, expMonth: 9 }).expMonth, '09');
  });

  it('is read only after validation', () => {
    assert.throws(() => cardDataOf({}), TypeError);
    assert.throws(() => cardDataOf({ ...GOOD, expMonth: '13' }), TypeError);
  });
});

describe('number', () => {
  const wrong: unknown[] = [
    undefined,
    null,
    '',
    4111111111111111,
    '4111 1111 1111 1111',
    '4111111111111112',
    '41111111111',
    '6759649826438453',
    '6200000000000005',
    '411111111111116',
    '4'.repeat(20),
    '4111111111111111\n',
  ];
  for (const number of wrong) {
    it(`refuses ${JSON.stringify(number)}`, () => assert.deepEqual(fieldsRefused({ number }), ['number']));
  }
});

describe('holder', () => {
  for (const holder of [undefined, '', '   ', 7, 'A\0B', 'A\nB', '\ud800', 'A'.repeat(192)]) {
    it(`refuses ${JSON.stringify(holder)}`, () => assert.deepEqual(fieldsRefused({ holder }), ['holder']));
  }
  it('accepts accents and 191 characters', () => {
    assert.deepEqual(fieldsRefused({ holder: "JOÃO D'ÁVILA" }), []);
    assert.deepEqual(fieldsRefused({ holder: 'A'.repeat(191) }), []);
  });
});

describe('expiry', () => {
  it('is the last day of its month', () => {
    assert.deepEqual(fieldsRefused({ expMonth: '08', expYear: '26' }, '2026-08-31'), []);
    assert.deepEqual(fieldsRefused({ expMonth: '08', expYear: '26' }, '2026-09-01'), ['expMonth']);
    assert.deepEqual(fieldsRefused({ expMonth: '12', expYear: '2026' }, '2027-01-01'), ['expYear']);
  });

  it('accepts one or two digits for the month and two or four for the year, as text or integer', () => {
    for (const expMonth of ['1', '01', '12', 1, 12]) assert.deepEqual(fieldsRefused({ expMonth }), []);
    for (const expYear of ['27', '2027', 27, 2027]) assert.deepEqual(fieldsRefused({ expYear }), []);
  });

  for (const expMonth of [undefined, '', '0', '00', '13', '1.5', 1.5, '-1', 'dec', '012', ' 1', 1e21]) {
    it(`refuses the month ${JSON.stringify(expMonth)}`, () => {
      assert.deepEqual(fieldsRefused({ expMonth }), ['expMonth']);
    });
  }
  for (const expYear of [undefined, '', '7', '027', '1999', '2100', '20270', 'yy', -27]) {
    it(`refuses the year ${JSON.stringify(expYear)}`, () => {
      assert.deepEqual(fieldsRefused({ expYear }), ['expYear']);
    });
  }
});

describe('security code', () => {
  for (const securityCode of [undefined, '', 123, '12', '1234', '12a', '123\n']) {
    it(`refuses ${JSON.stringify(securityCode)} on a visa`, () => {
      assert.deepEqual(fieldsRefused({ securityCode }), ['securityCode']);
    });
  }
  it('has four digits on an amex', () => {
    assert.deepEqual(fieldsRefused({ ...AMEX, securityCode: '123' }), ['securityCode']);
  });
});

describe('several violations', () => {
  it('are all reported, in the order of the fields', () => {
    const everything = ['number', 'holder', 'expMonth', 'expYear', 'securityCode'];
    assert.deepEqual(
      validateCard({}, TODAY).map(({ field }) => field),
      everything,
    );
  });

  it('never repeat a value', () => {
    const text = fc.string({ unit: fc.constantFrom(...'0123456789ABC'), minLength: 5, maxLength: 20 });
    fc.assert(
      fc.property(text, (value) => {
        const bad = {
          number: value,
          holder: `${value}\n`,
          expMonth: value,
          expYear: value,
          securityCode: value,
        };
        for (const { message } of validateCard(bad, TODAY)) assert.equal(message.includes(value), false);
      }),
    );
  });
});
