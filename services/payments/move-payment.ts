import type { Tx } from '../../db/engine/database.ts';
import { movePaymentRow } from '../../db/payments/move-payment-row.ts';
import { type PaymentPatch, patchPayment } from '../../db/payments/payment-patch.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment, PaymentStatus } from '../../domain/payments/payment.ts';
import {
  mayMove,
  PAYMENT_MOVES,
  type PaymentMove,
  targetOf,
} from '../../domain/payments/payment-transitions.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Deps, now } from '../deps.ts';
import { paymentEvent } from './payment-event.ts';

export interface PaymentChange {
  /** Where the move leads, for moves with several targets. */
  readonly to?: PaymentStatus;
  readonly patch?: PaymentPatch;
}

/** A move of the transition table, and what changes with it. */
export type PaymentStepChange = PaymentChange & { readonly move: PaymentMove };

/** Makes one move: see `movePaymentThrough`. `at` is the merchant's time. */
export function movePayment(
  deps: Deps,
  tx: Tx,
  scope: MerchantScope,
  payment: Payment,
  move: PaymentMove,
  { at, ...change }: PaymentChange & { readonly at: Date },
): Promise<Payment> {
  return movePaymentThrough(deps, tx, scope, payment, [{ move, ...change }], at);
}

/**
 * Moves a payment that the caller has locked along the transition table, one move after another, and writes the events
 * that each move emits, with the payment as it is after that move. All is written at once. The only way in which a
 * payment's status changes. Throws when the table does not allow a move: callers ask first. `asOf` is the merchant's
 * time as the caller read it. The sandbox's clock may have been advanced since, so a move is never dated before the last
 * change of the payment.
 */
export async function movePaymentThrough(
  deps: Deps,
  tx: Tx,
  scope: MerchantScope,
  payment: Payment,
  changes: readonly PaymentStepChange[],
  asOf: Date,
): Promise<Payment> {
  const at = asOf < payment.updatedAt ? payment.updatedAt : asOf;
  let moved = payment;
  const events: EventRecord[] = [];
  for (const { move, to = targetOf(move), patch = {} } of changes) {
    if (!mayMove(move, moved.status, to)) {
      throw new Error(`A payment that is ${moved.status} cannot ${move} to ${to}.`);
    }
    moved = patchPayment(moved, { to, patch, at });
    for (const event of PAYMENT_MOVES[move].events) events.push(paymentEvent(deps, event, moved, at));
  }
  const isWritten = await movePaymentRow(tx, scope, {
    id: payment.id,
    from: payment.status,
    to: moved.status,
    steps: moved.history.slice(payment.history.length),
    patch: Object.assign({}, ...changes.map(({ patch }) => patch)),
    events,
    at,
  });
  if (!isWritten) throw new Error(`The payment ${payment.id} was changed without its lock.`);
  return moved;
}

/** Writes what has become known of a locked payment beside its status, without a move and so without an event. */
export async function patchWithoutMove(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  patch: PaymentPatch,
): Promise<Payment> {
  const { id, status } = payment;
  const at = now(deps, merchant);
  const change = { id, from: status, to: status, steps: [], patch, events: [], at };
  if (!(await movePaymentRow(tx, merchant, change))) {
    throw new Error(`The payment ${id} was changed without its lock.`);
  }
  return patchPayment(payment, { to: status, patch, at });
}
