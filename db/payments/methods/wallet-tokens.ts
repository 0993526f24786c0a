import type { MerchantScope } from '../../../domain/scope.ts';
import type { Queryable, Tx } from '../../engine/database.ts';

/**
 * Uses up a token that can be used until `expiresAt`. Returns false if it was used before. Waits for a transaction that
 * uses it now.
 */
export async function useWalletToken(
  tx: Tx,
  scope: MerchantScope,
  { tokenId, expiresAt }: { readonly tokenId: string; readonly expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.execute(
    scope,
    `insert into used_wallet_tokens (slot, merchant_id, token_id, expires_at)
     values (:slot, :merchant_id, :token_id, :expires_at)
     on conflict (slot, merchant_id, token_id) do nothing`,
    { token_id: tokenId, expires_at: expiresAt },
  );
  return inserted === 1;
}

export async function isWalletTokenUsed(
  q: Queryable,
  scope: MerchantScope,
  tokenId: string,
): Promise<boolean> {
  const row = await q.maybeOne(
    scope,
    'select token_id from used_wallet_tokens where {scope} and token_id = :token_id',
    { token_id: tokenId },
  );
  return row !== undefined;
}
