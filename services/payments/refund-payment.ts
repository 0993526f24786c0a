import type { Tx } from '../../db/engine/database.ts';
import { findOperation, insertOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { findRefund, insertRefund } from '../../db/payments/refunds.ts';
import { operationReference } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-transitions.ts';
import type { Refund } from '../../domain/payments/refund.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { invalid, notInThisState, requireRow } from '../refusal.ts';
import { getPayment } from './get-payment.ts';
import { type ModifyOperation, modifyCommand } from './modify-command.ts';
import { movePayment } from './move-payment.ts';
import { firstCheckAt, resumeOperation, runOperation } from './run-operation.ts';

export interface NewRefund {
  /** Of the refund, and of its operation. */
  readonly id: string;
  readonly isRerun: boolean;
  /** Id, hash, order code or Pix txid. */
  readonly paymentIdentifier: string;
  /** Null: all that is left. */
  readonly amount_centavos: number | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Gives money of a captured payment back. The amount is reserved under the payment's lock before the acquirer is
 * asked, so refunds at once never exceed what was captured. A refund that the acquirer denies, or works on, is an
 * answer like one that succeeded: its status tells. Refusals: 404; 422 on `amount`, on `status`.
 */
export async function refundPayment<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewRefund,
  finish: Finish<Refund, Answer>,
): Promise<Answer> {
  const refunded: Finish<Payment, Answer> = async (tx) =>
    finish(tx, requireRow(await findRefund(tx, merchant, input.id)));
  const resume = async (): Promise<{ answer: Answer } | undefined> => {
    const other = await findOperation(deps.db, merchant, input.id);
    return other && { answer: await resumeOperation(deps, merchant, other, refunded) };
  };
  const earlier = input.isRerun ? await resume() : undefined;
  if (earlier !== undefined) return earlier.answer;
  const { id: paymentId } = await getPayment(deps, merchant, input.paymentIdentifier);
  let reserved: Reserved;
  try {
    reserved = await deps.db.transaction(merchant, (tx) => reserve(deps, tx, merchant, paymentId, input));
  } catch (error) {
    // Another run of this very request has reserved the amount meanwhile: then it is not gone to another's.
    const own = await resume();
    if (own === undefined) throw error;
    return own.answer;
  }
  const { payment, operation } = reserved;
  return runOperation(deps, merchant, operation, modifyCommand(merchant, payment, operation), refunded);
}

interface Reserved {
  readonly payment: Payment;
  readonly operation: ModifyOperation;
}

/** Transaction A: the amount is taken out of what is left, and the intent written. */
async function reserve(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  paymentId: string,
  input: NewRefund,
): Promise<Reserved> {
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  if (!mayMove('request_refund', payment.status)) {
    throw notInThisState('Only a paid payment with something left to refund can be refunded.');
  }
  const left_centavos = payment.captured_centavos - payment.refunded_centavos - payment.refunding_centavos;
  const amount_centavos = input.amount_centavos ?? left_centavos;
  if (left_centavos === 0) throw notInThisState('All of this payment is refunded or being refunded.');
  if (amount_centavos > left_centavos) {
    throw invalid({
      amount_centavos: `Must be at most the ${left_centavos} centavos that are left to refund.`,
    });
  }
  const at = now(deps, merchant);
  const reference = operationReference(merchant.slot, deps.random);
  const { id, reason, metadata } = input;
  const refund = { id, paymentId, amount_centavos, reference, reason, metadata, createdAt: at };
  await insertRefund(tx, merchant, refund);
  const operation = await insertOperation(tx, merchant, {
    id,
    paymentId,
    paymentAmount_centavos: payment.amount_centavos,
    refundId: id,
    kind: 'refund',
    amount_centavos,
    reference,
    createdAt: at,
    checkAt: firstCheckAt(deps),
  });
  const patch = { refunding_centavos: payment.refunding_centavos + amount_centavos };
  await movePayment(deps, tx, merchant, payment, 'request_refund', { patch, at });
  return { payment, operation: { ...operation!, kind: 'refund' } };
}
