import type { StateChange } from './state-diagram.ts';

/** The changes of the status of a subscription, by its payment method. */
export type MethodChanges = Readonly<Record<string, readonly StateChange[]>>;

/** A diagram of some moves from some statuses. A diagram of all moves is not readable. */
export interface Chapter {
  readonly title: string;
  readonly method: string;
  readonly moves: readonly string[];
  readonly from: readonly string[];
}

const CHARGES = ['activate', 'fall_behind', 'give_up'];
/** The charges of a method whose paid subscriptions are `active`. */
const chargesBy = (method: string): Chapter[] => [
  {
    title: 'First charge without a trial',
    method,
    moves: CHARGES,
    from: ['payment_pending', 'payment_refused'],
  },
  { title: 'First charge after a trial', method, moves: CHARGES, from: ['trial_started'] },
  { title: 'Later and overdue charges', method, moves: CHARGES, from: ['active', 'past_due', 'unpaid'] },
];

const endBy = (method: string): Chapter => ({
  title: 'End of a subscription',
  method,
  moves: ['cancel', 'reactivate', 'end', 'complete', 'revoke'],
  from: ['active', 'canceled'],
});

/** By the names of their places in the guides. */
export const CHAPTERS: Readonly<Record<string, readonly Chapter[]>> = {
  'subscription diagrams': [...chargesBy('credit_card'), endBy('credit_card')],
  'wallet subscription diagrams': [...chargesBy('browser_wallet'), endBy('browser_wallet')],
  'boleto subscription diagrams': chargesBy('bank_slip'),
  'pix recurring subscription diagrams': [
    {
      title: 'Charges by Pix recurring',
      method: 'pix_recurring',
      moves: ['start_trial', 'activate', 'fall_behind', 'give_up', 'end'],
      from: ['payment_pending', 'trial_started', 'payment_approved', 'payment_refused'],
    },
    {
      title: 'End of a Pix recurring subscription',
      method: 'pix_recurring',
      moves: ['cancel_mandate', 'end', 'complete', 'revoke'],
      from: ['payment_approved', 'canceled'],
    },
  ],
};

/** The arrows of a chapter. */
export function drawnChanges(
  { method, moves, from: sources }: Chapter,
  changes: MethodChanges,
): StateChange[] {
  return changes[method]!.filter(({ move, from }) => moves.includes(move) && sources.includes(from));
}
