import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';

/** The columns that a change may write beside the status. A column that is left out keeps its value. */
export interface PaymentPatch {
  readonly captured_centavos?: number;
  readonly refunded_centavos?: number;
  readonly refunding_centavos?: number;
  readonly authorization_code?: string | null;
  readonly pix_qr_code?: string;
  readonly pix_qr_image?: string;
  readonly pix_end_to_end_id?: string | null;
  readonly refusal_code?: string | null;
  readonly refusal_message?: string | null;
  readonly refusal_retryable?: boolean | null;
  readonly due_at?: Date | null;
}

/** The payment as it reads after a change at `at`: what `movePaymentRow` writes, applied to the copy in memory. */
export function patchPayment(
  payment: Payment,
  { to, patch, at }: { to: PaymentStatus; patch: PaymentPatch; at: Date },
): Payment {
  const { captured_centavos, refunded_centavos, refunding_centavos } = patch;
  return {
    ...payment,
    status: to,
    captured_centavos: captured_centavos ?? payment.captured_centavos,
    refunded_centavos: refunded_centavos ?? payment.refunded_centavos,
    refunding_centavos: refunding_centavos ?? payment.refunding_centavos,
    card: patchCard(payment.card, patch),
    pix: patchPix(payment.pix, patch),
    refusal: patchRefusal(payment.refusal, patch),
    history: to === payment.status ? payment.history : [...payment.history, { status: to, at }],
    updatedAt: at,
  };
}

function patchCard(card: Payment['card'], { authorization_code }: PaymentPatch): Payment['card'] {
  if (card === null || authorization_code === undefined) return card;
  return { ...card, authorizationCode: authorization_code };
}

function patchPix(pix: Payment['pix'], patch: PaymentPatch): Payment['pix'] {
  if (pix === null) return null;
  return {
    ...pix,
    qrCode: patch.pix_qr_code ?? pix.qrCode,
    qrImage: patch.pix_qr_image ?? pix.qrImage,
    endToEndId: patch.pix_end_to_end_id === undefined ? pix.endToEndId : patch.pix_end_to_end_id,
  };
}

/** A patch names all three columns of a refusal, or none. */
function patchRefusal(refusal: Payment['refusal'], patch: PaymentPatch): Payment['refusal'] {
  const { refusal_code: code, refusal_message: message, refusal_retryable: retryable } = patch;
  if (code === undefined) return refusal;
  return code === null ? null : { code, message: message!, retryable: retryable! };
}
