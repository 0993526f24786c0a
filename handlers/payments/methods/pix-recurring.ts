import { utcMicros } from '../../../domain/local-time.ts';
import type { MethodAnswer } from './method.ts';

export const pixRecurring: MethodAnswer<'pix_recurring'> = {
  block: ({ details }) => ({
    qr_code: details.qrCode,
    qr_code_image: details.qrImage,
    charge_code: details.chargeCode,
    acquirer_reference: details.acquirerReference,
    expires_at: details.expiresAt && utcMicros(details.expiresAt),
  }),
};
