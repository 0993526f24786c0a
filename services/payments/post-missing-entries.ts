import { findMerchant } from '../../db/merchants/merchants.ts';
import { lockPaymentsWithoutEntries } from '../../db/payments/payments-without-entries.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Deps, now } from '../deps.ts';
import { movePayment } from './move-payment.ts';

/** Few, because requests about these payments wait for the end of the transaction. */
const BATCH = 20;

/**
 * Writes the ledger entries of payments that were captured before there was a ledger, with a fee of 0: one batch of one
 * merchant. Returns how many payments.
 */
export async function postMissingEntriesOf(deps: Deps, scope: MerchantScope): Promise<number> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) return 0;
  return deps.db.transaction(merchant, async (tx) => {
    const payments = await lockPaymentsWithoutEntries(tx, merchant, BATCH);
    const at = now(deps, merchant);
    for (const payment of payments) {
      await movePayment({ deps, tx, merchant }, payment, { by: 'clock', at }, { move: 'post_entries' });
    }
    return payments.length;
  });
}
