import type { DueRows } from '../db/due-rows.ts';
import { DatabaseUnavailable } from '../db/engine/unavailable.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from '../services/deps.ts';
import { dueMerchants } from './due-merchants.ts';
import type { Work } from './work-loop.ts';

/**
 * The maximum of merchants at a time. It is low because a merchant whose rows are locked holds a connection for
 * seconds, and requests need connections too.
 */
const CONCURRENCY = 6;

/** Steps of merchants that fall due by their clocks. */
export interface DueSteps {
  readonly rows: DueRows;
  /** Runs the steps of one merchant that are due. Returns how many. */
  run(deps: Deps, scope: MerchantScope): Promise<number>;
  /** The message of the log for a failure. */
  readonly failure: string;
  /** The maximum of merchants at a time, if it is lower than that of other steps. */
  readonly concurrency?: number;
}

/** The merchants who have a step that is due. */
export function dueSteps(
  deps: Deps,
  { rows, run, failure, concurrency = CONCURRENCY }: DueSteps,
  onDone: (count: number) => void = () => {},
): Work<MerchantScope> {
  return {
    ...dueMerchants(deps, rows),
    run: async (scope) => {
      const count = await run(deps, scope).catch((error: unknown) => {
        if (error instanceof DatabaseUnavailable) throw error;
        // The merchant has no lease and would be claimed again at once, so a failure counts as no result.
        deps.log.error({ merchant_id: scope.merchantId, err: error }, failure);
        return 0;
      });
      onDone(count);
      return count > 0;
    },
    failure: () => ({ message: failure }),
    concurrency,
  };
}
