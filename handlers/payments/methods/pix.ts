import { utcMicros } from '../../../domain/local-time.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';

export function pixBlock({ details: pix }: Payment<'pix'>): components['schemas']['PaymentPix'] {
  return {
    qr_code: pix.qrCode,
    qr_code_image: pix.qrImage,
    expires_at: utcMicros(pix.expiresAt),
    txid: pix.txid,
    end_to_end_id: pix.endToEndId,
  };
}
