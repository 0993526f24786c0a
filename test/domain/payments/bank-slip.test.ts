import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../../domain/business-days.ts';
import { localTimestamp } from '../../../domain/local-time.ts';
import {
  type BankSlip,
  bankSlipBarcode,
  bankSlipExpiry,
  defaultDueDate,
  digitableLine,
  mayBeDueOn,
  printedLine,
  readBarcode,
} from '../../../domain/payments/bank-slip.ts';
import { barcodeOfLine } from '../../support/payments/barcode-of-line.ts';
import vectors from '../../vectors/boleto.json' with { type: 'json' };

const seed = 20_261_123;

const SLIP: BankSlip = {
  bank: '237',
  dueDate: '2026-12-01',
  amount_centavos: 12_345,
  freeField: '1234567890123456789012345',
};

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const slips: fc.Arbitrary<BankSlip> = fc.record(
  {
    bank: digits(3),
    dueDate: fc.option(fc.nat(5_000).map((days) => addDays('2024-06-01', days))),
    amount_centavos: fc.nat(9_999_999_999),
    freeField: digits(25),
  },
  { noNullPrototype: true },
);

/** Every text that differs from `text` in one digit. */
function withOneDigitChanged(text: string): string[] {
  return [...text].flatMap((digit, at) =>
    [...'0123456789']
      .filter((other) => other !== digit)
      .map((other) => text.slice(0, at) + other + text.slice(at + 1)),
  );
}

describe('the line of a boleto', () => {
  for (const { barcode, digitable_line: line } of vectors.vectors) {
    it(`${line} belongs to its barcode, and the barcode to it`, () => {
      assert.equal(digitableLine(barcode), line);
      assert.equal(barcodeOfLine(line), barcode);
    });
  }

  it('is written in five groups', () => {
    assert.equal(
      printedLine(vectors.vectors[0]!.digitable_line),
      '00190.50095 40144.816069 06809.350314 3 37370000000100',
    );
  });

  it('detects a wrong digit in each of its first three fields, and a wrong general check digit', () => {
    for (const { digitable_line: line } of vectors.vectors) {
      for (const other of withOneDigitChanged(line.slice(0, 33))) {
        assert.equal(barcodeOfLine(other + line.slice(33)), null, other);
      }
    }
  });

  it('is refused with another length or another character', () => {
    const line = vectors.vectors[0]!.digitable_line;
    for (const text of ['', line.slice(1), `${line}0`, `${line.slice(1)}x`, `${line}\n`, printedLine(line)]) {
      assert.equal(barcodeOfLine(text), null, text);
    }
  });
});

describe('the barcode of a boleto', () => {
  const TODAY = '2026-11-21';

  for (const { barcode } of vectors.vectors) {
    it(`${barcode} is read, and written with the same digits`, () => {
      const slip = readBarcode(barcode, TODAY)!;
      assert.equal(bankSlipBarcode(slip), barcode);
    });
  }

  it('has bank, due date, amount and free field', () => {
    const slip = readBarcode(vectors.vectors[3]!.barcode, TODAY);
    assert.deepEqual(slip, {
      bank: '001',
      dueDate: '2026-12-01',
      amount_centavos: 12_345,
      freeField: '0000001234567000000000117',
    });
  });

  it('is the same after it was written and read, as line and as bars', () => {
    fc.assert(
      fc.property(slips, (slip) => {
        const barcode = bankSlipBarcode(slip);
        assert.match(barcode, /^[0-9]{44}$/);
        assert.notEqual(barcode[4], '0');
        assert.deepEqual(readBarcode(barcode, TODAY), slip);
        assert.equal(barcodeOfLine(digitableLine(barcode)), barcode);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('has no due date if the factor is 0000', () => {
    const barcode = bankSlipBarcode({ ...SLIP, dueDate: null });
    assert.equal(barcode.slice(5, 9), '0000');
    assert.equal(readBarcode(barcode, TODAY)?.dueDate, null);
  });

  it('is refused with a wrong digit, another currency or another length', () => {
    const barcode = bankSlipBarcode(SLIP);
    for (const other of withOneDigitChanged(barcode)) {
      const slip = readBarcode(other, TODAY);
      // Modulo 11 takes 0, 1 and 10 for the same check digit, so that a few wrong digits pass.
      if (slip !== null) assert.equal(other[4], '1', other);
    }
    for (const text of ['', barcode.slice(1), `${barcode}0`, barcode.replace(/^(...)9/, '$18')]) {
      assert.equal(readBarcode(text, TODAY), null, text);
    }
  });

  const wrong: Partial<BankSlip>[] = [
    { bank: '1' },
    { bank: '12a' },
    { freeField: '1'.repeat(24) },
    { amount_centavos: 10_000_000_000 },
    { amount_centavos: -1 },
    { amount_centavos: 1.5 },
    { dueDate: '2000-07-02' },
    { dueDate: '2026-02-29' },
  ];
  for (const change of wrong) {
    it(`is not written with ${JSON.stringify(change)}`, () => {
      assert.throws(() => bankSlipBarcode({ ...SLIP, ...change }), RangeError);
    });
  }
});

describe('the due factor', () => {
  for (const { date, factor } of vectors.due_factor) {
    it(`of ${date} is ${factor}`, () => {
      const barcode = bankSlipBarcode({ ...SLIP, dueDate: date });
      assert.equal(barcode.slice(5, 9), String(factor));
    });
  }

  it('is read as a day in the years around today, because the factors began again in 2025', () => {
    const dueDate = (slip: BankSlip, today: string) => readBarcode(bankSlipBarcode(slip), today)!.dueDate;
    for (const [due, today] of [
      ['2025-02-21', '2025-02-20'],
      ['2025-02-22', '2025-02-20'],
      ['2025-02-22', '2025-02-21'],
      ['2025-02-21', '2025-02-22'],
      ['2025-02-21', '2030-01-01'],
      ['2000-07-03', '2000-07-03'],
      ['2049-10-14', '2049-10-13'],
      ['2049-10-13', '2049-10-14'],
    ] as const) {
      assert.equal(dueDate({ ...SLIP, dueDate: due }, today), due, `${due} on ${today}`);
    }
    // More than 3,000 days overdue: taken for one that is due in the future.
    assert.equal(dueDate({ ...SLIP, dueDate: '2000-07-03' }, '2026-11-21'), '2025-02-22');
  });
});

describe('the due date', () => {
  it('is from today to 365 days ahead, and in three days by default', () => {
    const today = '2026-11-21';
    for (const [day, may] of [
      ['2026-11-20', false],
      ['2026-11-21', true],
      ['2027-11-21', true],
      ['2027-11-22', false],
      ['2027-02-29', false],
      ['', false],
    ] as const) {
      assert.equal(mayBeDueOn(day, today), may, day);
    }
    assert.equal(defaultDueDate(today), '2026-11-24');
  });

  it('expires at the end of the next business day in São Paulo', () => {
    const lastSecond = (dueDate: string) => localTimestamp(new Date(bankSlipExpiry(dueDate).getTime() - 1));
    for (const [dueDate, until] of [
      ['2026-11-23', '24/11/2026 23:59:59'],
      // A Saturday.
      ['2026-11-28', '30/11/2026 23:59:59'],
      // A Thursday before a holiday on Friday.
      ['2026-11-19', '23/11/2026 23:59:59'],
      // The Friday before Carnival.
      ['2026-02-13', '18/02/2026 23:59:59'],
      ['2026-12-31', '04/01/2027 23:59:59'],
    ] as const) {
      assert.equal(lastSecond(dueDate), until, dueDate);
    }
  });
});
