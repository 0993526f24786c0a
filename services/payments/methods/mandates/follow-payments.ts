import type { MandateMove } from '../../../../domain/payments/mandate-moves.ts';
import { hasMandate } from '../../../../domain/payments/methods/index.ts';
import { createsMandate } from '../../../../domain/payments/methods/pix-recurring.ts';
import type { Payment, PaymentStatus } from '../../../../domain/payments/payment.ts';
import type { PaymentListener } from '../../../deps.ts';
import { moveMandate } from './move-mandate.ts';

/** Moves a mandate with the payment with which it was requested, in the same transaction. */
export const mandatesOfPayments: PaymentListener = {
  async changed(context, { before, after, by, at }) {
    if (!hasMandate(after) || !createsMandate(after.details)) return;
    const move = moveWithPayment(before as Payment<'pix_recurring'>, after);
    if (move === undefined) return;
    const { mandateId, chargeCode } = after.details;
    await moveMandate(context, mandateId, {
      move,
      by,
      at,
      ...(move === 'authorize' && { chargeCode }),
    });
  },
};

const MOVES: Readonly<Partial<Record<PaymentStatus, MandateMove>>> = {
  AUTHORIZED: 'authorize',
  paid: 'authorize',
  refused: 'reject',
  expired: 'expire',
  canceled: 'cancel',
};

function moveWithPayment(
  before: Payment<'pix_recurring'>,
  after: Payment<'pix_recurring'>,
): MandateMove | undefined {
  if (before.details.chargeCode === null && after.details.chargeCode !== null) return 'authorize';
  return before.status === after.status || before.captured_centavos > 0 ? undefined : MOVES[after.status];
}
