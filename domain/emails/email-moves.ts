import { MINUTE_MS } from '../durations.ts';
import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { EmailStatus } from './email.ts';

const MOVES = {
  /** The mail server has accepted it; in a sandbox without a mail server, it was stored. */
  send: { from: ['queued'], to: ['sent'], by: ['clock'], events: [] },
  /** The mail server did not accept it. It is sent again later. */
  retry: { from: ['queued'], to: ['queued'], by: ['clock'], events: [] },
  /** The mail server refuses the address, or the last attempt failed. */
  fail: { from: ['queued'], to: ['failed'], by: ['clock'], events: [] },
} as const satisfies Moves<EmailStatus>;

export type EmailMove = keyof typeof MOVES;
export const emailMachine: StateMachine<EmailStatus, EmailMove> = stateMachine('an e-mail', MOVES);

/** The pauses between attempts: about two days in total, longer than most mail servers are down. */
const RETRY_PAUSES_MS = [1, 5, 30, 120, 360, 720, 1_440].map((minutes) => minutes * MINUTE_MS);

/** The pause after so many failed attempts; null if it was the last one. */
export function retryPause_ms(attempts: number): number | null {
  return RETRY_PAUSES_MS[attempts - 1] ?? null;
}
