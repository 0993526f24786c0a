import { type Moves, type StateMachine, stateMachine } from '../state-machine.ts';
import type { WalletDomainStatus } from './wallet-domain.ts';

/** A domain. Each check of its verification file ends in one of the first four moves. */
const MOVES = {
  verify: {
    from: ['pending', 'verified', 'failed'],
    to: ['verified'],
    by: ['merchant', 'clock'],
    events: [],
  },
  reject: { from: ['pending', 'failed'], to: ['failed'], by: ['merchant', 'clock'], events: [] },
  /** The file of a verified domain was not found, but may be again. */
  miss: { from: ['verified'], to: ['verified'], by: ['merchant', 'clock'], events: [] },
  /** The file was not found too often. */
  unverify: { from: ['verified'], to: ['failed'], by: ['merchant', 'clock'], events: [] },
  /** Another account has verified the domain since. */
  lose: { from: ['verified'], to: ['failed'], by: ['merchant', 'clock'], events: [] },
} as const satisfies Moves<WalletDomainStatus>;

export type WalletDomainMove = keyof typeof MOVES;
export const walletDomainMachine: StateMachine<WalletDomainStatus, WalletDomainMove> = stateMachine(
  'a wallet domain',
  MOVES,
);
