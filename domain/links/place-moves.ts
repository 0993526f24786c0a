import type { Payment } from '../payments/payment.ts';
import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';

export type PlaceState = 'under_way' | 'counted' | 'released';

/** The place of one payment at a payment link. It is taken as `under_way`; a refund does not move it. */
const MOVES = {
  /** The money has arrived, or the subscription has started, even if the place was released before. */
  count: { from: ['under_way', 'released'], to: ['counted'], by: ['acquirer'], events: [] },
  /** The payment was refused or canceled, or it or its authorization has expired. */
  release: { from: ['under_way'], to: ['released'], by: ['acquirer', 'merchant', 'clock'], events: [] },
} as const satisfies Moves<PlaceState>;

export type PlaceMove = keyof typeof MOVES;
export const placeMachine: StateMachine<PlaceState, PlaceMove> = stateMachine(
  'a place of a payment link',
  MOVES,
);

const LOST: readonly Payment['status'][] = ['refused', 'canceled', 'expired'];

/** The move of the place when its payment changes; null if it stays as it is. */
export function placeMoveOf(
  before: Pick<Payment, 'captured_centavos' | 'dueAt'>,
  { status, captured_centavos, dueAt }: Pick<Payment, 'status' | 'captured_centavos' | 'dueAt'>,
): PlaceMove | null {
  if (before.captured_centavos === 0 && captured_centavos > 0) return 'count';
  // The acquirer has refused every void of an authorization that has expired.
  const isLeft = status === 'pre_authorized' && before.dueAt !== null && dueAt === null;
  return captured_centavos === 0 && (LOST.includes(status) || isLeft) ? 'release' : null;
}
