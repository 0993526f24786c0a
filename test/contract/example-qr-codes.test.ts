/** The QR codes of examples are real, because a user of the mock may show and scan them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import document from '../../generated/openapi.json' with { type: 'json' };
import { qrPng } from '../../services/payments/qr-png.ts';
import { parseBrCode } from '../support/payments/parse-br-code.ts';

interface Pix {
  readonly qr_code: string;
  readonly qr_code_image: string;
}

/** Every object within `node` that has a QR code, at any depth. */
function pixOf(node: unknown): Pix[] {
  if (typeof node !== 'object' || node === null) return [];
  const within = Object.values(node).flatMap(pixOf);
  return 'qr_code' in node && typeof node.qr_code === 'string' ? [node as unknown as Pix, ...within] : within;
}

test('every QR code of an example is a BR Code, and its picture shows it', () => {
  const examples = pixOf(document);
  assert.ok(examples.length >= 6, `${examples.length} were found`);
  for (const { qr_code, qr_code_image } of examples) {
    assert.notEqual(parseBrCode(qr_code), null, qr_code);
    assert.equal(qr_code_image, `data:image/png;base64,${qrPng(qr_code).toString('base64')}`);
  }
});
