import type { WalletCredential } from '../../../domain/payments/methods/wallet-credential.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import type { Queryable, Tx } from '../../engine/database.ts';

/** A credential with what the vault sealed of it; null until the acquirer has approved it. */
export type StoredWalletCredential = WalletCredential & { readonly sealed: Buffer | null };

interface WalletCredentialRow {
  id: string;
  wallet: string;
  brand: WalletCredential['brand'];
  last_4: string;
  credential_sealed: Buffer | null;
}

/** Writes a new credential. */
export async function insertWalletCredential(
  tx: Tx,
  scope: MerchantScope,
  { id, wallet, brand, last4, sealed, createdAt }: StoredWalletCredential & { readonly createdAt: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `insert into wallet_credentials (slot, merchant_id, id, wallet, brand, last_4, credential_sealed, created_at)
     values (:slot, :merchant_id, :id, :wallet, :brand, :last_4, :sealed, :created_at)`,
    { id, wallet, brand, last_4: last4, sealed, created_at: createdAt },
  );
}

/** A credential by its id. */
export async function findWalletCredential(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<StoredWalletCredential | undefined> {
  const row = await q.maybeOne<WalletCredentialRow>(
    scope,
    'select id, wallet, brand, last_4, credential_sealed from wallet_credentials where {scope} and id = :id',
    { id },
  );
  if (row === undefined) return undefined;
  const { wallet, brand, last_4: last4, credential_sealed: sealed } = row;
  return { id: row.id, wallet, brand, last4, sealed };
}

/**
 * Writes what the acquirer approved. Nothing is written if the credential is not needed any more, or has it already.
 */
export async function storeApprovedCredential(
  tx: Tx,
  scope: MerchantScope,
  { id, sealed }: { readonly id: string; readonly sealed: Buffer },
): Promise<void> {
  await tx.execute(
    scope,
    `update wallet_credentials set credential_sealed = :sealed
      where {scope} and id = :id and credential_sealed is null`,
    { id, sealed },
  );
}

/** Deletes a credential that no subscription has any more. */
export async function deleteWalletCredential(tx: Tx, scope: MerchantScope, id: string): Promise<void> {
  await tx.execute(scope, 'delete from wallet_credentials where {scope} and id = :id', { id });
}
