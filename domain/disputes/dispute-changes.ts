import type { PaymentTransition } from '../payments/plan-moves.ts';
import type { DisputeMove } from './dispute-moves.ts';

/** What a move of a payment changes in its dispute: it opens one, or moves the open or lost one. */
export interface DisputeChange {
  readonly change: 'open' | DisputeMove;
  /** The amount of the dispute after the change. */
  readonly amount_centavos: number;
}

/** The change of the dispute that follows from a move of its payment; null if there is none. */
export function disputeChange({ move, payment, before, after }: PaymentTransition): DisputeChange | null {
  const amount_centavos = after.disputed_centavos + after.charged_back_centavos;
  switch (move) {
    case 'request_chargeback':
      return { change: 'open', amount_centavos };
    case 'dispute_chargeback':
      return { change: 'contest', amount_centavos };
    case 'win_chargeback':
      return { change: 'win', amount_centavos: before.disputed_centavos };
    case 'lose_chargeback':
      return { change: 'lose', amount_centavos };
    case 'complete_refund':
      return payment.status.startsWith('chargeback_') ? { change: 'reduce', amount_centavos } : null;
    default:
      return null;
  }
}
