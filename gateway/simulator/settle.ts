import {
  type CardRefusalCode,
  cardRefusal,
  type PaymentRefusal,
} from '../../domain/payments/refusal-reasons.ts';
import type { NotificationType } from '../acquirer.ts';
import type { WireOutcome } from '../wire.ts';
import { changeBy, type PaymentOperation, refusedByBooks } from './book-rules.ts';
import { notify } from './notifications.ts';
import { readOperation, settleOperation } from './operations.ts';
import { changePayment, methodOf, type Payment } from './payments.ts';
import { forgetPlans, planFollowUps } from './planned.ts';
import { authorizationCode, newReference } from './random.ts';
import type { Tx } from './store.ts';

/**
 * Ends an operation that was answered `pending`, at `at` (account's time), and tells it. The payment is locked.
 * Answers the notification's id, or null when the operation was not pending any more.
 */
export async function settle(
  tx: Tx,
  payment: Payment,
  reference: string,
  verdict: 'approve' | CardRefusalCode,
  at: Date,
): Promise<string | null> {
  const operation = await readOperation(tx, payment.account, reference);
  if (operation?.outcome?.status !== 'pending') return null;
  const { acquirer_reference } = operation.outcome;
  const wanted = verdict === 'approve' ? null : cardRefusal(verdict);
  const amount_centavos = operation.amount_centavos ?? payment.amount_centavos;
  const refusal =
    operation.kind === 'authorization'
      ? await settleAuthorization(tx, payment, wanted, at)
      : await settleFollowing(
          tx,
          payment,
          operation.kind as PaymentOperation,
          operation.amount_centavos ?? 0,
          wanted,
          at,
        );
  const outcome: WireOutcome = refusal
    ? { status: 'refused', refusal }
    : {
        status: 'approved',
        acquirer_reference: acquirer_reference ?? newReference(),
        ...(operation.kind === 'authorization' && { authorization_code: authorizationCode() }),
      };
  await settleOperation(tx, payment.account, reference, outcome);
  const type = `${operation.kind}.${outcome.status}` as NotificationType;
  return notify(tx, {
    account: payment.account,
    reference,
    type,
    method: methodOf(payment),
    occurredAt: at,
    refusal,
    amount_centavos,
  });
}

async function settleAuthorization(
  tx: Tx,
  payment: Payment,
  wanted: PaymentRefusal | null,
  at: Date,
): Promise<PaymentRefusal | null> {
  if (wanted) {
    await changePayment(tx, payment, { state: 'refused' });
    return wanted;
  }
  if (payment.capture) await becomeCaptured(tx, payment, payment.amount_centavos, at);
  else await changePayment(tx, payment, { state: 'authorized' });
  await planFollowUps(tx, payment, 'accepted', at);
  return null;
}

async function settleFollowing(
  tx: Tx,
  payment: Payment,
  kind: PaymentOperation,
  amount_centavos: number,
  wanted: PaymentRefusal | null,
  at: Date,
): Promise<PaymentRefusal | null> {
  if (kind === 'refund') {
    // The amount was taken when the refund was asked; a refusal gives it back.
    if (wanted) {
      await changePayment(tx, payment, { refunded_centavos: payment.refunded_centavos - amount_centavos });
    }
    return wanted;
  }
  const refusal = refusedByBooks(kind, payment, amount_centavos) ?? wanted;
  if (!refusal) await applyToPayment(tx, payment, kind, amount_centavos, at);
  return refusal;
}

/** Writes what an approved operation does to its payment. */
export async function applyToPayment(
  tx: Tx,
  payment: Payment,
  kind: PaymentOperation,
  amount_centavos: number,
  at: Date,
): Promise<void> {
  if (kind === 'capture') return becomeCaptured(tx, payment, amount_centavos, at);
  await changePayment(tx, payment, changeBy(kind, payment, amount_centavos));
  if (kind === 'cancel') await forgetPlans(tx, payment);
}

/** The money is taken: by a capture, or by a payer's Pix. */
export async function becomeCaptured(
  tx: Tx,
  payment: Payment,
  captured_centavos: number,
  at: Date,
  endToEndId: string | null = null,
): Promise<void> {
  await changePayment(tx, payment, { state: 'captured', captured_centavos, endToEndId });
  await forgetPlans(tx, payment);
  await planFollowUps(tx, payment, 'paid', at);
}
