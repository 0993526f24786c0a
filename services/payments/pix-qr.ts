import { encodePixBrCode } from '../../domain/payments/br-code.ts';
import type { PixDetails } from '../../domain/payments/methods/pix.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MandateApproval, PixChargeApproval } from '../../gateway/acquirer.ts';
import { qrPng } from './qr-png.ts';

/**
 * The BR Code of a charge that the acquirer registered, of a mandate, or of both, and its image. Undefined when the
 * acquirer gave no location. Without an amount, the payer's bank reads it at the location.
 */
export function pixQr(
  { amount_centavos, mcc }: Pick<Payment, 'mcc'> & { readonly amount_centavos: number | null },
  approval: Partial<PixChargeApproval & MandateApproval>,
): Pick<PixDetails, 'qrCode' | 'qrImage'> | undefined {
  const { location, recurrenceLocation, receiverName, receiverCity } = approval;
  if (location === undefined && recurrenceLocation === undefined) return undefined;
  if (receiverName === undefined || receiverCity === undefined) return undefined;
  const qrCode = encodePixBrCode({
    location: location ?? null,
    ...(recurrenceLocation !== undefined && { recurrenceLocation }),
    merchantName: receiverName,
    merchantCity: receiverCity,
    amount_centavos,
    // The payer's bank reads the txid (26–35 characters) at the location: field 62-05 has room for 25.
    txid: null,
    mcc,
  });
  return { qrCode, qrImage: `data:image/png;base64,${qrPng(qrCode).toString('base64')}` };
}
