import { merchantsWithoutEntries, slotsWithoutEntries } from '../../db/payments/payments-without-entries.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { postMissingEntriesOf } from '../../services/payments/post-missing-entries.ts';
import type { Work } from '../work-loop.ts';

/** Merchants with payments that were captured before there was a ledger. */
export function paymentsWithoutEntries(deps: Deps): Work<MerchantScope> {
  return {
    findSlots: () => slotsWithoutEntries(deps.db),
    claim: (slot, claim) => merchantsWithoutEntries(deps.db, slot, claim),
    run: async (scope) => (await postMissingEntriesOf(deps, scope)) > 0,
    failure: () => ({ message: 'posting missing entries failed' }),
    // There can be many old payments, and no request waits for their entries.
    concurrency: 2,
  };
}
