import { clearMandateDue, setMandateDue } from '../../../../db/payments/due-mandates.ts';
import { findOpenOperation, insertOperation } from '../../../../db/payments/payment-operations.ts';
import { operationReference, uuidV7 } from '../../../../domain/identifiers.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import { now, type TransactionContext } from '../../../deps.ts';
import { modifyCommand } from '../../modify-command.ts';
import { type BegunOperation, firstCheckAt } from '../../run-operation.ts';

/**
 * Writes the operation that ends a mandate at the acquirer. `payment` is the one with which it was requested, and is
 * locked. The caller commits, and then sends the command (`runOperation`). Undefined if the mandate is being ended
 * already, or if its request has no outcome yet: the acquirer may not know the mandate, so the job cancels it later.
 */
export async function beginMandateCancellation(
  { deps, tx, merchant }: TransactionContext,
  payment: Payment<'pix_recurring'>,
): Promise<BegunOperation | undefined> {
  const { id: paymentId, amount_centavos, details } = payment;
  const { mandateId } = details;
  const at = now(deps, merchant);
  const kind = 'cancel_mandate';
  if ((await findOpenOperation(tx, merchant, paymentId)) !== undefined) {
    await setMandateDue(tx, merchant, { id: mandateId, dueAt: at });
    return undefined;
  }
  await clearMandateDue(tx, merchant, mandateId);
  const operation = await insertOperation(tx, merchant, {
    id: uuidV7(at.getTime(), deps.random),
    paymentId,
    paymentAmount_centavos: amount_centavos,
    refundId: null,
    kind,
    amount_centavos,
    reference: operationReference(merchant.slot, deps.random),
    createdAt: at,
    checkAt: firstCheckAt(deps),
  });
  return operation && { operation, command: modifyCommand(merchant, payment, { ...operation, kind }) };
}
