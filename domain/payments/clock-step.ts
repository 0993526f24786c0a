import { dueAfterRefusal, dueStep, hasMandate } from './methods/index.ts';
import { isResultDue } from './methods/mandate-inquiries.ts';
import type { DueStep } from './methods/method.ts';
import type { Payment, PaymentStatus } from './payment.ts';
import type { PaymentOperation } from './payment-operation.ts';

/** The operation that the clock requests for each step, and its move; null if it requests none. */
export const OPERATION_OF_STEP = {
  expire: null,
  cancel: { kind: 'cancel', move: 'request_cancel' },
  inquire: { kind: 'cancel', move: 'request_cancel' },
  void: { kind: 'cancel', move: 'request_void' },
  capture: { kind: 'capture', move: 'request_capture' },
} as const satisfies Record<DueStep, object | null>;

/**
 * A payment with one of these statuses has a step at its time. While a capture or a cancellation is pending, the step
 * waits for its outcome.
 */
export const STATUSES_WITH_STEPS: readonly PaymentStatus[] = [
  'scheduled',
  'waiting_payment',
  'pre_authorized',
];

/** Why a capture, void or cancellation was not carried out. */
interface StepFailure {
  readonly refusal: { readonly retryable: boolean };
  /** When it is requested again if the acquirer has never received it; null if it has. */
  readonly nextTryAt: Date | null;
  /** When operations of the same kind were requested before and refused. */
  readonly refusedBefore: readonly Date[];
}

/**
 * What follows after a capture, void or cancellation of a payment was not carried out: it is repeated or it has failed,
 * and the payment's next step is due at `dueAt`. Only a step that the clock requested is repeated, if the acquirer has
 * never received it and it is not too late for it. What the merchant requested changes nothing in the steps of the
 * clock.
 */
export function afterFailure(
  payment: Payment,
  operation: Pick<PaymentOperation, 'kind' | 'createdAt'>,
  { refusal, nextTryAt, refusedBefore }: StepFailure,
  at: Date,
): { readonly isRepeated: boolean; readonly dueAt: Date | null } {
  const step = stepOf(payment, operation);
  if (step === null) return { isRepeated: false, dueAt: payment.dueAt };
  if (nextTryAt !== null && dueStep(payment, nextTryAt) === step)
    return { isRepeated: true, dueAt: nextTryAt };
  const refused = { step, isRetryable: refusal.retryable, refusedBefore };
  return { isRepeated: false, dueAt: dueAfterRefusal(payment, refused, at) };
}

/**
 * Whether the operation is a cancellation that the clock requests again and again until the acquirer carries it out:
 * that of a charge by a mandate whose result is due. Before the result is due, each cancellation belongs to a separate
 * withdrawal.
 */
export function isRepeatedCancellation(
  payment: Payment,
  operation: Pick<PaymentOperation, 'kind' | 'createdAt'>,
): boolean {
  const isOfClock = operation.kind === 'cancel' && stepOf(payment, operation) !== null;
  return isOfClock && hasMandate(payment) && isResultDue(payment.billingDate!, operation.createdAt);
}

/** The step for which the clock requested an operation; null if the merchant requested it. */
function stepOf(
  payment: Payment,
  { kind, createdAt }: Pick<PaymentOperation, 'kind' | 'createdAt'>,
): DueStep | null {
  if (payment.dueAt === null || createdAt < payment.dueAt) return null;
  const step = dueStep(payment, createdAt);
  return OPERATION_OF_STEP[step]?.kind === kind ? step : null;
}
