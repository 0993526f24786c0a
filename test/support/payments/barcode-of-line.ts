import { digitableLine, readBarcode } from '../../../domain/payments/bank-slip.ts';

/**
 * The barcode of a line of 47 digits; null when it is not the line of a boleto, or one of its check digits is wrong.
 */
export function barcodeOfLine(line: string): string | null {
  if (!/^[0-9]{47}$/.test(line)) return null;
  const freeField = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31);
  const barcode = line.slice(0, 4) + line.slice(32) + freeField;
  const isRight = digitableLine(barcode) === line && readBarcode(barcode, '2026-01-01') !== null;
  return isRight ? barcode : null;
}
