import type pg from 'pg';
import type { Outbox } from './outbox.ts';

/** What every operation of the simulator works with. */
export interface Simulator {
  readonly pool: pg.Pool;
  readonly outbox: Outbox;
}
