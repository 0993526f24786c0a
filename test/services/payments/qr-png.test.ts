/** The picture of a Pix charge: a scanner reads it, and drawing it costs little, as every Pix order pays for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import QRCode from 'qrcode';
import { encodePixBrCode } from '../../../domain/payments/br-code.ts';
import { qrPng } from '../../../services/payments/qr-png.ts';
import { readQrImage } from '../../support/payments/png.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const word = (minLength: number, maxLength: number, characters = LETTERS) =>
  fc.string({ minLength, maxLength, unit: fc.constantFrom(...characters) });

const brCodes = fc
  .record({
    location: fc.tuple(word(1, 20), word(1, 50)).map(([host, path]) => `qr.${host}/${path}`),
    merchantName: word(1, 25, `${LETTERS} .-`),
    merchantCity: word(1, 15, `${LETTERS} `),
    amount_centavos: fc.option(fc.integer({ min: 1, max: 99_999_999_999 })),
    txid: fc.option(word(1, 25)),
    mcc: word(4, 4, '0123456789'),
  })
  .map(encodePixBrCode);

const read = (text: string) => readQrImage(`data:image/png;base64,${qrPng(text).toString('base64')}`);

test('a scanner reads every BR Code', () => {
  fc.assert(
    fc.property(brCodes, (code) => assert.equal(read(code), code)),
    { numRuns: 200 },
  );
});

test('a scanner reads text with any characters', () => {
  for (const text of ['7', '0123456', 'A1B2C3D4E5F6G7', 'padaria são joão ☕', `${'9'.repeat(40)}ção`]) {
    assert.equal(read(text), text);
  }
});

test('a symbol is rarely larger than that of the shortest encoding', () => {
  const width = (text: string) => qrPng(text).readUInt32BE(16) / 4 - 8;
  const codes = fc.sample(brCodes, { numRuns: 200, seed: 1 });
  const larger = codes.filter((code) => width(code) > QRCode.create(code, { maskPattern: 2 }).modules.size);
  assert.ok(larger.length <= 15, `${larger.length} of ${codes.length} are larger`);
});

test('a picture takes less than half the time of choosing its mask among eight', () => {
  const codes = fc.sample(brCodes, { numRuns: 300, seed: 2 });
  const cost_us = (draw: (code: string) => unknown) => {
    codes.forEach(draw);
    const before = process.cpuUsage();
    codes.forEach(draw);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const chosen_us = cost_us((code) => QRCode.create(code));
  const drawn_us = cost_us(qrPng);
  assert.ok(drawn_us < chosen_us / 2, `${drawn_us} µs to draw, ${chosen_us} µs to choose`);
});
