import { findDisputeOfPayment, insertDispute, moveDisputeRow } from '../../db/disputes/disputes.ts';
import type { Dispute } from '../../domain/disputes/dispute.ts';
import { disputeChange } from '../../domain/disputes/dispute-changes.ts';
import { type DisputeMove, disputeMachine } from '../../domain/disputes/dispute-moves.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import { type DisputeNotice, evidenceDeadline } from '../../domain/payments/dispute-notice.ts';
import type { PaymentListener, TransactionContext } from '../deps.ts';

/**
 * Opens and moves the dispute of a payment with the payment, in the same transaction: the state and the amount of a
 * dispute change here only.
 */
export const disputesOfPayments: PaymentListener = {
  async changed(context, { transitions, at }) {
    for (const transition of transitions) {
      const followed = disputeChange(transition);
      if (followed === null) continue;
      const { change, amount_centavos } = followed;
      const subject = { paymentId: transition.payment.id, amount_centavos, at };
      if (change === 'open') await openDispute(context, subject, transition.details?.dispute);
      else await moveDispute(context, subject, change);
    }
  },
};

interface Subject {
  readonly paymentId: string;
  readonly amount_centavos: number;
  readonly at: Date;
}

async function openDispute(
  { deps, tx, merchant }: TransactionContext,
  { paymentId, amount_centavos, at }: Subject,
  notice: DisputeNotice | undefined,
): Promise<Dispute> {
  return insertDispute(tx, merchant, {
    id: uuidV7(at.getTime(), deps.random),
    paymentId,
    amount_centavos,
    acquirerReference: notice?.reference ?? null,
    reason: notice?.reason ?? 'general',
    evidenceDueAt: notice?.evidenceDueAt ?? evidenceDeadline(at),
    createdAt: at,
  });
}

async function moveDispute(context: TransactionContext, subject: Subject, move: DisputeMove): Promise<void> {
  const { tx, merchant } = context;
  const { paymentId, amount_centavos, at } = subject;
  // During an update of the service, a process of the version before can open a dispute without its row.
  const dispute =
    (await findDisputeOfPayment(tx, merchant, paymentId)) ?? (await openDispute(context, subject, undefined));
  const { id, status: from } = dispute;
  const to = disputeMachine.next(move, from, { by: 'acquirer' });
  const isDecided = to === 'won' || to === 'lost';
  const decidedAt = isDecided ? (dispute.decidedAt ?? at) : null;
  const isWritten = await moveDisputeRow(tx, merchant, { id, from, to, amount_centavos, at, decidedAt });
  if (!isWritten) throw new Error(`The dispute ${id} was changed without the lock of its payment.`);
}
