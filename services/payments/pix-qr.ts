import type { PaymentPatch } from '../../db/payments/payment-patch.ts';
import { encodePixBrCode } from '../../domain/payments/br-code.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PixChargeApproval } from '../../gateway/acquirer.ts';
import { qrPng } from './qr-png.ts';

/** The BR Code of a charge that the acquirer registered, and its image; nothing when it did not say where it lies. */
export function pixQr(payment: Payment, approval: Partial<PixChargeApproval>): PaymentPatch {
  const { location, receiverName, receiverCity } = approval;
  if (location === undefined || receiverName === undefined || receiverCity === undefined) return {};
  const code = encodePixBrCode({
    location,
    merchantName: receiverName,
    merchantCity: receiverCity,
    amount_centavos: payment.amount_centavos,
    // A charge's own txid (26–35 characters) stands at the location; field 62-05 takes 25 at most.
    txid: null,
    mcc: payment.mcc,
  });
  const image = `data:image/png;base64,${qrPng(code).toString('base64')}`;
  return { pix_qr_code: code, pix_qr_image: image };
}
