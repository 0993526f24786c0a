import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';

/** The states of a Pix Automático recurrence: CRIADA, APROVADA, REJEITADA, EXPIRADA, CANCELADA. */
export type MandateState = 'created' | 'authorized' | 'rejected' | 'expired' | 'canceled';

/** A payer's permission to charge by Pix Automático. The subscription and its payment have the events. */
const MOVES = {
  /** A second report can bring the id of the mandate that the first one lacked. */
  authorize: { from: ['created'], to: ['authorized'], keeps: ['authorized'], by: ['acquirer'], events: [] },
  reject: { from: ['created'], to: ['rejected'], by: ['acquirer'], events: [] },
  /** The QR code was not used in time. */
  expire: { from: ['created'], to: ['expired'], by: ['acquirer', 'clock'], events: [] },
  /** By the merchant, by the payer at the bank, or because another mandate replaces it. */
  cancel: { from: ['created', 'authorized'], to: ['canceled'], by: ['merchant', 'acquirer'], events: [] },
} as const satisfies Moves<MandateState>;

export type MandateMove = keyof typeof MOVES;
export const mandateMachine: StateMachine<MandateState, MandateMove> = stateMachine('a mandate', MOVES);

/** The states of a mandate that has not ended. */
export const OPEN_MANDATE_STATES: readonly MandateState[] = MOVES.cancel.from;

/** Whether a mandate has not ended. */
export function isOpenMandate(state: MandateState): boolean {
  return OPEN_MANDATE_STATES.includes(state);
}
