import type { Loader } from './measure.ts';
import type { Pace } from './pace.ts';
import type { BenchSetup } from './setup.ts';

/** What every measurement of the bench needs. */
export interface BenchContext {
  readonly setup: BenchSetup;
  readonly loader: Loader;
  readonly pace: Pace;
}
