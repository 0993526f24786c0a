import type { Shop } from '../shop.ts';

/**
 * Takes everything from the merchant's payments that came with the ledger, as before the migration that introduced it.
 * No payment moves at the same time: the processes are stopped during a migration.
 */
export async function withoutLedger({ service, account, onboarded }: Shop): Promise<void> {
  await service.deps.db.transaction(onboarded.merchant, async (tx) => {
    for (const statement of [
      'select 1 from payments where merchant_id = :account for update',
      'delete from ledger_transfers where merchant_id = :account',
      'delete from ledger_balances where merchant_id = :account',
      'update payments set fee_centavos = null, captured_on = null where merchant_id = :account',
    ]) {
      await tx.anywhere(statement, { account });
    }
  });
}
