import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { LogoStatus } from './logo.ts';

/** The copy of the logo at an address. It starts as `pending`. */
const MOVES = {
  /** A link gets this address after the last attempt failed. */
  request: { from: ['failed'], to: ['pending'], by: ['merchant'], events: [] },
  /** The server did not answer. It is asked again later. */
  retry: { from: ['pending'], to: ['pending'], by: ['clock'], events: [] },
  store: { from: ['pending'], to: ['available'], by: ['clock'], events: [] },
  /** The answer is not a logo, or the last attempt had no answer. */
  fail: { from: ['pending'], to: ['failed'], by: ['clock'], events: [] },
} as const satisfies Moves<LogoStatus>;

export type LogoMove = keyof typeof MOVES;
export const logoMachine: StateMachine<LogoStatus, LogoMove> = stateMachine('a logo', MOVES);
