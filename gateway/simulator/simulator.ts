import type pg from 'pg';
import type { Outbox } from './outbox.ts';

/** The dependencies of the simulator's operations. */
export interface Simulator {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
  /** Seals wallet tokens. */
  readonly walletTokenKey: Buffer;
}
