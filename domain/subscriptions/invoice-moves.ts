import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';

export type InvoiceStatus = 'open' | 'paid' | 'past_due' | 'uncollectible' | 'void';

/**
 * The invoice of a cycle is created, or reopened, when the cycle is opened. Subscriptions and payments have the events.
 */
const MOVES = {
  /** Also money that arrives after the invoice was given up or voided. */
  pay: {
    from: ['open', 'past_due', 'uncollectible', 'void'],
    to: ['paid'],
    by: ['acquirer', 'clock'],
    events: [],
  },
  /** An attempt failed and another one follows, or a subscription with an overdue cycle is reactivated. */
  fall_behind: {
    from: ['open', 'past_due'],
    to: ['past_due'],
    by: ['merchant', 'acquirer', 'clock'],
    events: [],
  },
  give_up: { from: ['open', 'past_due'], to: ['uncollectible'], by: ['acquirer', 'clock'], events: [] },
  /** The subscription was canceled or has ended before the cycle was paid. */
  void: {
    from: ['open', 'past_due', 'uncollectible'],
    to: ['void'],
    by: ['merchant', 'acquirer', 'clock'],
    events: [],
  },
  /** The cycle of a voided invoice is opened again after a reactivation, or because its charge was not canceled. */
  reopen: { from: ['void'], to: ['open'], by: ['clock', 'acquirer'], events: [] },
  /** A reactivation starts the attempts again. */
  retry: { from: ['uncollectible'], to: ['past_due'], by: ['merchant'], events: [] },
} as const satisfies Moves<InvoiceStatus>;

export type InvoiceMove = keyof typeof MOVES;
export const invoiceMachine: StateMachine<InvoiceStatus, InvoiceMove> = stateMachine('an invoice', MOVES);
