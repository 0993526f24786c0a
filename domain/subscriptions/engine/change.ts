import type { Actor } from '../../state-machine.ts';
import type { Billing } from '../billing.ts';
import type { InvoiceMove } from '../invoice-moves.ts';
import { type SubscriptionMove, subscriptionMachine } from '../subscription-moves.ts';
import type { SubscriptionStatus } from '../subscription-status.ts';

/** What a step or an outcome changes, and what the service does for it. */
export interface BillingChange {
  /** The state after the change. */
  readonly billing: Billing;
  /** Moves of the subscription, in order. Each has its events. */
  readonly moves: readonly MadeMove[];
  readonly invoices: readonly InvoiceChange[];
  readonly payment: PaymentAction | null;
}

export interface MadeMove {
  readonly move: SubscriptionMove;
  readonly by: Actor;
  /** The status after the move. */
  readonly status: SubscriptionStatus;
}

/** `open` creates the invoice of a cycle; if the cycle has a voided invoice, that one is reopened. */
export interface InvoiceChange {
  readonly cycle: number;
  readonly move: 'open' | InvoiceMove;
  readonly by: Actor;
}

/**
 * - `charge`: create a payment, and send it to the acquirer unless it is scheduled.
 * - `send`: send the scheduled payment.
 * - `withdraw`: cancel the payment that is not paid yet, at the acquirer if it was sent.
 * - `expire`: the payment of a mandate that was not authorized in time.
 */
export type PaymentAction =
  | {
      readonly kind: 'charge';
      readonly cycle: number;
      readonly amount_centavos: number;
      readonly dueOn: string;
      readonly isSent: boolean;
    }
  | { readonly kind: 'send' | 'withdraw' | 'expire'; readonly cycle: number | null };

/** Whether the action needs the means of payment of the subscription. */
export function needsPaymentMeans(action: PaymentAction | null): boolean {
  return action?.kind === 'charge' || action?.kind === 'send';
}

/** A change, with the status after its last move. */
export function changeOf(
  billing: Billing,
  { moves = [], invoices = [], payment = null }: Partial<Omit<BillingChange, 'billing'>> = {},
): BillingChange {
  const status = moves.at(-1)?.status ?? billing.status;
  return { billing: { ...billing, status }, moves, invoices, payment };
}

/** A move that is to be made; `to` if it has several targets. */
export interface WantedMove {
  readonly move: SubscriptionMove;
  readonly to?: SubscriptionStatus;
}

/** Makes moves one after another, beginning at a status. Throws if the table does not allow one. */
export function makeMoves(from: SubscriptionStatus, by: Actor, wanted: readonly WantedMove[]): MadeMove[] {
  let status = from;
  return wanted.map(({ move, to }) => {
    status = subscriptionMachine.next(move, status, to === undefined ? { by } : { by, to });
    return { move, by, status };
  });
}
