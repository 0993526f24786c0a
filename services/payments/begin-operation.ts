import { insertOperation } from '../../db/payments/payment-operations.ts';
import { operationReference, uuidV7 } from '../../domain/identifiers.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { OperationKind } from '../../domain/payments/payment-operation.ts';
import type { Actor } from '../../domain/state-machine.ts';
import { now, type TransactionContext } from '../deps.ts';
import { modifyCommand } from './modify-command.ts';
import { movePayment } from './move-payment.ts';
import { type BegunOperation, firstCheckAt } from './run-operation.ts';

/** A capture or a cancellation of a payment, with the move that requests it. */
export interface RequestedOperation {
  /** The id of the new operation. */
  readonly id: string;
  readonly kind: Extract<OperationKind, 'capture' | 'cancel'>;
  readonly amount_centavos: number;
  readonly move: 'request_capture' | 'request_void' | 'request_cancel';
  readonly by: Actor;
}

/**
 * Writes a new operation of a locked payment, and moves the payment to a state in which no second one can be requested.
 * The move must be legal. The caller commits, and then sends the command (`runOperation`). Undefined if an operation
 * with this id exists: the caller must then undo the transaction.
 */
export async function beginOperation(
  context: TransactionContext,
  payment: Payment,
  { id, kind, amount_centavos, move, by }: RequestedOperation,
): Promise<BegunOperation | undefined> {
  const { deps, tx, merchant } = context;
  const at = now(deps, merchant);
  // Sent together.
  const [operation] = await Promise.all([
    insertOperation(tx, merchant, {
      id,
      paymentId: payment.id,
      paymentAmount_centavos: payment.amount_centavos,
      refundId: null,
      kind,
      amount_centavos,
      reference: operationReference(merchant.slot, deps.random),
      createdAt: at,
      checkAt: firstCheckAt(deps),
    }),
    movePayment(context, payment, { by, at }, { move }),
  ]);
  return operation && { operation, command: modifyCommand(merchant, payment, { ...operation, kind }) };
}

/**
 * The same with a new id and the payment's whole amount, for a payment without an open operation. Throws if it has one.
 */
export async function beginWholeOperation(
  context: TransactionContext,
  payment: Payment,
  requested: Omit<RequestedOperation, 'id' | 'amount_centavos'>,
): Promise<BegunOperation> {
  const { deps, merchant } = context;
  const id = uuidV7(now(deps, merchant).getTime(), deps.random);
  const { amount_centavos } = payment;
  const begun = await beginOperation(context, payment, { ...requested, id, amount_centavos });
  if (begun === undefined) throw new Error(`The payment ${payment.id} has an open operation.`);
  return begun;
}
