import type { Tx } from '../db/database.ts';
import { movePaymentRow, type PaymentPatch } from '../db/payments.ts';
import type { Payment, PaymentStatus } from '../domain/payment.ts';
import { mayMove, PAYMENT_MOVES, type PaymentMove, targetOf } from '../domain/payment-transitions.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from './deps.ts';
import { recordPaymentEvent } from './record-event.ts';

export interface PaymentChange {
  /** Where the move leads, for moves with several targets. */
  readonly to?: PaymentStatus;
  readonly patch?: PaymentPatch;
  /** Merchant's time. */
  readonly at: Date;
}

/**
 * Moves a payment that the caller has locked along the transition table, and writes the events that the move emits.
 * The only way in which a payment's status changes. Throws when the table does not allow it: callers ask first.
 */
export async function movePayment(
  deps: Deps,
  tx: Tx,
  scope: MerchantScope,
  payment: Payment,
  move: PaymentMove,
  change: PaymentChange,
): Promise<Payment> {
  const to = change.to ?? targetOf(move);
  if (!mayMove(move, payment.status, to)) {
    throw new Error(`A payment that is ${payment.status} cannot ${move} to ${to}.`);
  }
  const { patch = {}, at } = change;
  const moved = await movePaymentRow(tx, scope, { id: payment.id, from: payment.status, to, patch, at });
  if (moved === undefined) throw new Error(`The payment ${payment.id} was changed without its lock.`);
  for (const event of PAYMENT_MOVES[move].events) await recordPaymentEvent(deps, tx, scope, event, moved, at);
  return moved;
}
