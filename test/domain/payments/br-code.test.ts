import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createStaticPix, hasError, isDynamicPix, parsePix } from 'pix-utils';
import { encodePixBrCode, type PixBrCode } from '../../../domain/payments/br-code.ts';
import { crc16, parseBrCode } from '../../support/payments/parse-br-code.ts';
import vectors from '../../vectors/br-code.json' with { type: 'json' };

const CHARGE: PixBrCode = {
  location: 'bx.com.br/pix/8b3da2f3-9a41-40d1-a91a-bd93113bd441',
  merchantName: 'Fulano de Tal',
  merchantCity: 'BRASILIA',
  amount_centavos: 12345,
  txid: 'RP12345678-2019',
};

const vector = (name: string) => vectors.payloads.find((one) => one.name === name)!.payload;

/** A payload with its CRC, for malformed ones. */
const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;

describe('CRC16', () => {
  it('of the check text', () => assert.equal(crc16(vectors.check[0]!), vectors.check[1]));
  for (const { name, payload, crc } of vectors.payloads) {
    it(`of ${name}`, () => assert.equal(crc16(payload.slice(0, -4)), crc));
  }
  it('keeps leading zeros', () => {
    const codes = Array.from({ length: 64 }, (_, i) => encodePixBrCode({ ...CHARGE, amount_centavos: i }));
    assert.ok(codes.some((code) => code.slice(-4).startsWith('0')));
    for (const code of codes) {
      assert.match(code, /6304[0-9A-F]{4}$/);
      assert.equal(code.slice(-4), crc16(code.slice(0, -4)));
    }
  });
});

describe('writing', () => {
  it('gives the vector of a dynamic charge with amount', () => {
    assert.equal(encodePixBrCode(CHARGE), vector('dynamic with amount'));
  });

  const MANDATE = {
    merchantName: 'Fulano de Tal',
    merchantCity: 'BRASILIA',
    amount_centavos: null,
    txid: null,
  };

  it('gives the vector of a mandate without a charge', () => {
    const code = encodePixBrCode({
      ...MANDATE,
      location: null,
      recurrenceLocation: 'pix.example.com/qr/v2/rec/2353c790eefb11eaadc10242ac120002',
    });
    assert.equal(code, vector('recurrence only (journey 2)'));
  });

  it('gives the vector of a charge with a mandate', () => {
    const code = encodePixBrCode({
      ...MANDATE,
      location: 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441',
      recurrenceLocation: 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890',
    });
    assert.equal(code, vector('immediate charge and recurrence (journey 3)'));
  });

  it('gives the vector of a charge with a due date and a mandate', () => {
    const code = encodePixBrCode({
      ...MANDATE,
      location: 'pix.example.com/qr/v2/cobv/1e6c54d3ec9449b7a7fc53b6b0f998e7',
      recurrenceLocation: 'pix.example.com/qr/v2/rec/3ffa640fa4f14080adccb949fa2dc0d0',
    });
    assert.equal(code, vector('due-date charge and recurrence (journey 4)'));
  });

  it('refuses a code for neither a charge nor a mandate, and a mandate with a wrong location', () => {
    assert.throws(() => encodePixBrCode({ ...MANDATE, location: null }), RangeError);
    const recurrenceLocation = 'x'.repeat(78);
    assert.throws(() => encodePixBrCode({ ...MANDATE, location: null, recurrenceLocation }), RangeError);
  });

  it('omits a missing amount, and writes *** for a missing txid', () => {
    const fields = parseBrCode(encodePixBrCode({ ...CHARGE, amount_centavos: null, txid: null }))!;
    assert.equal(fields.has('54'), false);
    assert.equal(fields.get('62.05'), '***');
  });

  it('writes centavos as a decimal', () => {
    const written = (amount_centavos: number) =>
      parseBrCode(encodePixBrCode({ ...CHARGE, amount_centavos }))!.get('54');
    assert.deepEqual([1, 10, 100, 99999999].map(written), ['0.01', '0.10', '1.00', '999999.99']);
  });

  it('writes names unaccented, in ASCII, cut to 25 and 15 characters', () => {
    const written = (merchantName: string, merchantCity: string) => {
      const fields = parseBrCode(encodePixBrCode({ ...CHARGE, merchantName, merchantCity }))!;
      return [fields.get('59'), fields.get('60')];
    };
    assert.deepEqual(written('Pão de Açúcar', 'São Paulo'), ['Pao de Acucar', 'Sao Paulo']);
    assert.deepEqual(written('Comércio de Ferragens União Ltda', 'São José dos Campos'), [
      'Comercio de Ferragens Uni',
      'Sao Jose dos Ca',
    ]);
    assert.deepEqual(written('  a \t b 🙂 ', 'x'), ['a b', 'x']);
    assert.deepEqual(written(`${'N'.repeat(24)} x`, 'x'), ['N'.repeat(24), 'x']);
    assert.deepEqual(written('日本', ''), ['NAO INFORMADO', 'NAO INFORMADO']);
  });

  it('accepts a location of 77 characters, and at most 512 characters in total', () => {
    const payload = encodePixBrCode({ ...CHARGE, location: 'x'.repeat(77), merchantName: 'N'.repeat(40) });
    assert.equal(parseBrCode(payload)!.get('26.25'), 'x'.repeat(77));
    assert.ok(payload.length <= 512);
  });

  const wrong: Partial<PixBrCode>[] = [
    { location: 'x'.repeat(78) },
    { location: '' },
    { location: 'com espaço' },
    { txid: 'a'.repeat(26) },
    { txid: '' },
    { amount_centavos: -1 },
    { amount_centavos: 1.5 },
    { amount_centavos: Number.NaN },
    { mcc: '12' },
  ];
  for (const change of wrong) {
    it(`refuses ${JSON.stringify(change)}`, () => {
      assert.throws(() => encodePixBrCode({ ...CHARGE, ...change }), RangeError);
    });
  }
});

describe('reading', () => {
  for (const { name, payload } of vectors.payloads) {
    it(`reads the fields: ${name}`, () => {
      const fields = parseBrCode(payload)!;
      assert.equal(fields.get('26.00'), 'br.gov.bcb.pix');
      assert.equal(fields.get('58'), 'BR');
      assert.equal(fields.get('59'), 'Fulano de Tal');
      assert.equal(fields.get('60'), 'BRASILIA');
    });
  }

  it('finds location and recurrence of journey 3', () => {
    const fields = parseBrCode(vector('immediate charge and recurrence (journey 3)'))!;
    assert.equal(fields.get('01'), '12');
    assert.equal(fields.get('26.25'), 'pix.example.com/qr/v2/8b3da2f39a4140d1a91abd93113bd441');
    assert.equal(fields.get('80.00'), 'br.gov.bcb.pix');
    assert.equal(fields.get('80.25'), 'pix.example.com/qr/v2/rec/94ed2badcbc04c15b0bb7fa353194890');
  });

  it('refuses a payload with any one character changed, removed or added', () => {
    const payload = vector('dynamic with amount');
    for (let at = 0; at < payload.length; at += 1) {
      const other = payload[at] === '7' ? '8' : '7';
      assert.equal(parseBrCode(payload.slice(0, at) + other + payload.slice(at + 1)), null, `at ${at}`);
      assert.equal(parseBrCode(payload.slice(0, at)), null, `cut at ${at}`);
    }
    assert.equal(parseBrCode(`${payload}0`), null);
  });

  it('refuses faults that the CRC does not show: lengths, repeated ids, order, templates', () => {
    assert.notEqual(parseBrCode(sealed('0002015802BR')), null);
    for (const body of [
      '5802BR000201',
      '0002010002015802BR',
      '0002015804BR',
      '00020162045802',
      '000201ab02BR',
      '',
    ]) {
      assert.equal(parseBrCode(sealed(body)), null, body);
    }
    const long = (fields: number) =>
      sealed(`000201${Array.from({ length: fields }, (_, i) => `${65 + i}99`.padEnd(103, 'x')).join('')}`);
    assert.equal(parseBrCode(long(4))?.get('68')?.length, 99);
    assert.equal(parseBrCode(long(5)), null);
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456BR.'), maxLength: 40 }), (body) => {
        const fields = parseBrCode(sealed(body));
        assert.ok(fields === null || fields.get('63')?.length === 4);
      }),
    );
  });
});

describe('a round trip', () => {
  const ascii = (min: number, max: number) =>
    fc.string({ unit: fc.constantFrom(...'abcXYZ019./-'), minLength: min, maxLength: max });
  const charge = fc.record({
    location: ascii(1, 77),
    merchantName: ascii(1, 25),
    merchantCity: ascii(1, 15),
    amount_centavos: fc.option(fc.integer({ min: 1, max: 99_999_999_99 })),
    txid: fc.option(ascii(1, 25)),
  });

  it('keeps every field', () => {
    fc.assert(
      fc.property(charge, (code) => {
        const fields = parseBrCode(encodePixBrCode(code))!;
        assert.equal(fields.get('01'), '12');
        assert.equal(fields.get('26.25'), code.location);
        assert.equal(fields.get('59'), code.merchantName);
        assert.equal(fields.get('60'), code.merchantCity);
        assert.equal(fields.get('62.05'), code.txid ?? '***');
        const amount = fields.get('54');
        assert.equal(amount === undefined ? null : Number(amount.replace('.', '')), code.amount_centavos);
      }),
    );
  });

  it('is read the same by another implementation', () => {
    fc.assert(
      fc.property(charge, (code) => {
        const pix = parsePix(encodePixBrCode(code));
        assert.ok(!hasError(pix) && isDynamicPix(pix));
        assert.equal(pix.url, code.location);
        assert.equal(pix.merchantName, code.merchantName);
        assert.equal(pix.merchantCity, code.merchantCity);
      }),
    );
  });

  it('reads what another implementation writes', () => {
    fc.assert(
      fc.property(ascii(1, 25), ascii(1, 15), fc.uuid(), (merchantName, merchantCity, pixKey) => {
        const pix = createStaticPix({ merchantName, merchantCity, pixKey, transactionAmount: 1.5 });
        assert.ok(!hasError(pix));
        const fields = parseBrCode(pix.toBRCode())!;
        assert.equal(fields.get('26.01'), pixKey);
        assert.equal(fields.get('54'), '1.50');
        // It writes names in upper case.
        assert.equal(fields.get('59'), merchantName.toUpperCase());
      }),
    );
  });
});
