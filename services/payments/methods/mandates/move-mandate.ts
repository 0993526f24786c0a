import { setMandateDue } from '../../../../db/payments/due-mandates.ts';
import { findMandate, moveMandateRow } from '../../../../db/payments/mandates.ts';
import { type MandateMove, mandateMachine } from '../../../../domain/payments/mandate-moves.ts';
import type { Actor } from '../../../../domain/state-machine.ts';
import type { TransactionContext } from '../../../deps.ts';
import { requireRow } from '../../../refusal.ts';

/** A move of a mandate, with the codes that the acquirer reports. */
export interface RequestedMandateMove {
  readonly move: MandateMove;
  readonly by: Actor;
  readonly at: Date;
  readonly chargeCode?: string | null;
  readonly cancellationCode?: string | null;
}

/**
 * Makes a move of a mandate, under the lock of the payment with which it was requested. Its subscription is locked
 * after that payment and before the mandate, as by a change of the subscription that ends its mandates. Reports arrive
 * in any order: a move that the mandate's state does not allow changes nothing.
 */
export async function moveMandate(
  context: TransactionContext,
  id: string,
  { move, by, at, chargeCode = null, cancellationCode = null }: RequestedMandateMove,
): Promise<void> {
  const { deps, tx, merchant } = context;
  const mandate = requireRow(await findMandate(tx, merchant, id));
  if (!mandateMachine.allows(move, mandate.state)) {
    // Authorized too late: nothing is charged by a mandate that has expired here.
    if (move === 'authorize' && mandate.state === 'expired')
      await setMandateDue(tx, merchant, { id, dueAt: at });
    return;
  }
  const from = mandate.state;
  const to = mandateMachine.next(move, from, { by });
  for (const listener of deps.mandateListeners) await listener.lock(context, mandate);
  if (!(await moveMandateRow(tx, merchant, { id, from, to, chargeCode, cancellationCode, at }))) {
    throw new Error(`The mandate ${id} was changed without the lock of its payment.`);
  }
  const after = {
    ...mandate,
    state: to,
    chargeCode: chargeCode ?? mandate.chargeCode,
    cancellationCode: cancellationCode ?? mandate.cancellationCode,
  };
  for (const listener of deps.mandateListeners) await listener.changed(context, { after, move, by, at });
}
