import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import type { Payment, PaymentChange } from './payments.ts';

/** Why an acquirer refuses an operation on a payment, whatever was scripted: its books do not allow it. */
const REFUSALS = {
  unknown_payment: 'The acquirer does not know this payment.',
  not_capturable: 'The authorization is not open for capture.',
  capture_too_high: 'The capture exceeds what was authorized.',
  not_cancelable: 'The payment can no longer be canceled.',
  not_refundable: 'The payment was not captured.',
  refund_too_high: 'The refund exceeds what is left of the payment.',
  disputed: 'The payment is in dispute.',
  sealed: 'This reference was closed before the request arrived.',
} as const;

/** A refusal in the words of the books; never worth a retry. */
export function bookRefusal(code: keyof typeof REFUSALS): PaymentRefusal {
  return { code, message: REFUSALS[code], retryable: false };
}

export type PaymentOperation = 'capture' | 'cancel' | 'refund';

/** Why the books refuse this operation on the payment as it is, or null. */
export function refusedByBooks(
  kind: PaymentOperation,
  payment: Payment,
  amount_centavos: number,
): PaymentRefusal | null {
  switch (kind) {
    case 'capture':
      if (payment.state !== 'authorized') return bookRefusal('not_capturable');
      return amount_centavos > payment.amount_centavos ? bookRefusal('capture_too_high') : null;
    case 'cancel': {
      const open = payment.state === 'authorized' || payment.state === 'open';
      return open && amount_centavos === payment.amount_centavos ? null : bookRefusal('not_cancelable');
    }
    case 'refund': {
      if (payment.state !== 'captured') return bookRefusal('not_refundable');
      if (payment.chargeback !== 'none' && payment.chargeback !== 'won') return bookRefusal('disputed');
      const left_centavos = payment.captured_centavos - payment.refunded_centavos;
      return amount_centavos > left_centavos ? bookRefusal('refund_too_high') : null;
    }
  }
}

/** What the operation, when approved, changes. A refund takes its amount when it is asked, not when it ends. */
export function changeBy(kind: PaymentOperation, payment: Payment, amount_centavos: number): PaymentChange {
  switch (kind) {
    case 'capture':
      return { state: 'captured', captured_centavos: amount_centavos };
    case 'cancel':
      return { state: 'voided' };
    case 'refund':
      return { refunded_centavos: payment.refunded_centavos + amount_centavos };
  }
}
