import { merchantDay } from '../../domain/local-time.ts';
import type { PaymentRefusal } from '../../domain/payments/refusal-reasons.ts';
import { withdrawalDeadline } from '../../domain/subscriptions/mandate-terms.ts';
import { endedMandate } from './mandate-state.ts';
import type { Payment, PaymentChange } from './payments.ts';

/** Why an acquirer refuses an operation that the state of the payment does not allow, whatever its behaviour is. */
const REFUSALS = {
  unknown_payment: 'The acquirer does not know this payment.',
  not_capturable: 'The authorization is not open for capture.',
  capture_too_high: 'The capture exceeds what was authorized.',
  not_cancelable: 'The payment can no longer be canceled.',
  not_refundable: 'The payment was not captured.',
  refund_too_high: 'The refund exceeds what is left of the payment.',
  disputed: 'The payment is in dispute.',
  not_disputed: 'The payment has no open dispute.',
  evidence_too_late: 'The time for evidence is over.',
  unknown_mandate: 'The acquirer does not know this mandate.',
  mandate_not_active: 'The payer has not authorized the mandate, or it has ended.',
  unknown_credential: 'The acquirer does not know this credential.',
  sealed: 'This reference was closed before the request arrived.',
} as const;

/** A refusal with the acquirer's own code. A retry does not help. */
export function acquirerRefusal(code: keyof typeof REFUSALS): PaymentRefusal {
  return { code, message: REFUSALS[code], retryable: false };
}

/** An operation on a payment that exists. */
export type ModificationKind = 'capture' | 'cancel' | 'refund' | 'cancel_mandate';

/** Why the payment does not allow the operation at `at`, or null when it does. */
export function refusalByPayment(
  kind: ModificationKind,
  payment: Payment,
  amount_centavos: number,
  at: Date,
): PaymentRefusal | null {
  switch (kind) {
    case 'capture':
      if (payment.state !== 'authorized') return acquirerRefusal('not_capturable');
      return amount_centavos > payment.amount_centavos ? acquirerRefusal('capture_too_high') : null;
    case 'cancel': {
      const isOpen = payment.state === 'authorized' || payment.state === 'open';
      const isInTime = payment.mandateReference === null || mayBeWithdrawn(payment.dueDate!, at);
      const isCancelable = isOpen && isInTime && amount_centavos === payment.amount_centavos;
      return isCancelable ? null : acquirerRefusal('not_cancelable');
    }
    case 'cancel_mandate':
      // One that has ended already is canceled again, which changes nothing.
      return payment.mandate === null ? acquirerRefusal('unknown_mandate') : null;
    case 'refund': {
      if (payment.state !== 'captured') return acquirerRefusal('not_refundable');
      if (payment.chargeback !== 'none' && payment.chargeback !== 'won') return acquirerRefusal('disputed');
      const left_centavos = payment.captured_centavos - payment.refunded_centavos;
      return amount_centavos > left_centavos ? acquirerRefusal('refund_too_high') : null;
    }
  }
}

/** A charge that is still open after its day can be withdrawn again. */
function mayBeWithdrawn(dueDate: string, at: Date): boolean {
  return at < withdrawalDeadline(dueDate) || merchantDay(at) > dueDate;
}

/** What an approved operation changes. A refund reserves its amount when it is requested, not when it ends. */
export function changeBy(kind: ModificationKind, payment: Payment, amount_centavos: number): PaymentChange {
  switch (kind) {
    case 'capture':
      return { state: 'captured', captured_centavos: amount_centavos };
    case 'cancel':
      return { state: 'voided', mandate: endedMandate(payment.mandate, 'canceled') };
    case 'cancel_mandate':
      return {
        state: payment.state === 'open' ? 'voided' : payment.state,
        mandate: endedMandate(payment.mandate, 'canceled'),
      };
    case 'refund':
      return { refunded_centavos: payment.refunded_centavos + amount_centavos };
  }
}
