import { encodePixBrCode } from '../../domain/payments/br-code.ts';
import type { PixDetails } from '../../domain/payments/methods/pix.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PixChargeApproval } from '../../gateway/acquirer.ts';
import { qrPng } from './qr-png.ts';

/** The BR Code of a charge that the acquirer registered, and its image; undefined when the acquirer gave no location. */
export function pixQr(
  { amount_centavos, mcc }: Pick<Payment, 'amount_centavos' | 'mcc'>,
  approval: Partial<PixChargeApproval>,
): Pick<PixDetails, 'qrCode' | 'qrImage'> | undefined {
  const { location, receiverName, receiverCity } = approval;
  if (location === undefined || receiverName === undefined || receiverCity === undefined) return undefined;
  const qrCode = encodePixBrCode({
    location,
    merchantName: receiverName,
    merchantCity: receiverCity,
    amount_centavos,
    // The payer's bank reads the txid (26–35 characters) at the location: field 62-05 has room for 25.
    txid: null,
    mcc,
  });
  return { qrCode, qrImage: `data:image/png;base64,${qrPng(qrCode).toString('base64')}` };
}
