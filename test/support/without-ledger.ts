import type { Shop } from './shop.ts';

/** Takes everything from the merchant's payments that came with the ledger, as before the migration that introduced it. */
export async function withoutLedger({ service, account }: Shop): Promise<void> {
  for (const statement of [
    'delete from ledger_transfers where merchant_id = :account',
    'delete from ledger_balances where merchant_id = :account',
    'update payments set fee_centavos = null, captured_on = null where merchant_id = :account',
  ]) {
    await service.rows(statement, { account });
  }
}
