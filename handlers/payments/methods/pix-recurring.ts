import { utcMicros } from '../../../domain/local-time.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import type { components } from '../../../generated/types.ts';

export function pixRecurringBlock({
  details,
}: Payment<'pix_recurring'>): components['schemas']['PaymentPixRecurring'] {
  return {
    qr_code: details.qrCode,
    qr_code_image: details.qrImage,
    charge_code: details.chargeCode,
    acquirer_reference: details.acquirerReference,
    expires_at: details.expiresAt && utcMicros(details.expiresAt),
  };
}
