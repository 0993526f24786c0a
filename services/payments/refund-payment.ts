import { findOperation, insertOperation } from '../../db/payments/payment-operations.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { countRefunds, findRefund, insertRefund } from '../../db/payments/refunds.ts';
import { operationReference } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import { MAX_PARTIAL_REFUNDS, type Refund } from '../../domain/payments/refund.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import { invalid, notInThisState, requireRow } from '../refusal.ts';
import { getPayment } from './get-payment.ts';
import { modifyCommand } from './modify-command.ts';
import { movePayment } from './move-payment.ts';
import { type BegunOperation, firstCheckAt, resumeOperation, runOperation } from './run-operation.ts';

export interface NewRefund {
  /** The id of the refund, and of its operation. */
  readonly id: string;
  readonly isRerun: boolean;
  /** Id, hash, order code or Pix txid. */
  readonly paymentIdentifier: string;
  /** Null: everything that is left to refund. */
  readonly amount_centavos: number | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Refunds a captured payment, in whole or in part. The amount is reserved under the payment's lock before the acquirer
 * is called, so concurrent refunds never exceed what was captured. Returns the refund whether it succeeded, was denied
 * or is in progress. Refusals: `not_found`, field `amount_centavos`, `wrong_state`.
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
    const operation = await findOperation(deps.db, merchant, input.id);
    return operation && { answer: await resumeOperation(deps, merchant, operation, refunded) };
  };
  const earlier = input.isRerun ? await resume() : undefined;
  if (earlier !== undefined) return earlier.answer;
  const { id: paymentId } = await getPayment(deps, merchant, input.paymentIdentifier);
  let begun: BegunOperation;
  try {
    begun = await deps.db.transaction(merchant, (tx) => reserve({ deps, tx, merchant }, paymentId, input));
  } catch (error) {
    // Another run of this request may have reserved the amount by now. Then its refund is the answer.
    const resumed = await resume();
    if (resumed === undefined) throw error;
    return resumed.answer;
  }
  return runOperation(deps, merchant, begun, refunded);
}

/** Transaction A: reserves the amount and writes the intent. */
async function reserve(
  context: TransactionContext,
  paymentId: string,
  input: NewRefund,
): Promise<BegunOperation> {
  const { deps, tx, merchant } = context;
  const payment = requireRow(await lockPayment(tx, merchant, paymentId));
  if (!mayMove(payment, 'request_refund')) {
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
  const isPartial = amount_centavos < left_centavos;
  if (
    isPartial &&
    (await countRefunds(tx, merchant, paymentId, MAX_PARTIAL_REFUNDS)) === MAX_PARTIAL_REFUNDS
  ) {
    throw invalid({
      amount_centavos: `This payment has ${MAX_PARTIAL_REFUNDS} refunds. Another one must be of all ${left_centavos} centavos that are left.`,
    });
  }
  const at = now(deps, merchant);
  const reference = operationReference(merchant.slot, deps.random);
  const { id, reason, metadata } = input;
  const refund = { id, paymentId, amount_centavos, reference, reason, metadata, createdAt: at };
  await insertRefund(tx, merchant, refund);
  const inserted = await insertOperation(tx, merchant, {
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
  const requested = { by: 'merchant', at } as const;
  await movePayment(context, payment, requested, { move: 'request_refund', amount_centavos });
  const operation = { ...inserted!, kind: 'refund' } as const;
  return { operation, command: modifyCommand(merchant, payment, operation) };
}
