import { utcMicros } from '../../../domain/local-time.ts';
import type { CheckoutMethodAnswer } from './method.ts';

export const pix: CheckoutMethodAnswer<'pix'> = {
  block: ({ details }) => ({
    qr_code: details.qrCode,
    qr_code_image: details.qrImage,
    expires_at: utcMicros(details.expiresAt),
    txid: details.txid,
    end_to_end_id: details.endToEndId,
  }),
  buyerBlock: ({ details: { qrCode, qrImage, expiresAt } }, _deps, at) => ({
    qr_code: qrCode,
    qr_code_image: qrImage,
    expires_at: utcMicros(expiresAt),
    expires_in_s: Math.max(0, Math.round((expiresAt.getTime() - at.getTime()) / 1_000)),
  }),
};
