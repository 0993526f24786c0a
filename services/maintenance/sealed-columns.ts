import type { SealedColumn, SealedPlace } from '../../db/vault/sealed-values.ts';
import { cardContext } from '../cards/card-context.ts';
import { responseContext } from '../idempotency.ts';
import { notificationSecretContext } from '../merchants/change-merchant.ts';
import { bankAccountContext } from '../recipients/bank-account.ts';
import { merchantKeyContext } from '../vault/merchant-keys.ts';

/** A sealed column and what each of its values is bound to. */
export interface ContextualColumn extends SealedColumn {
  context(place: SealedPlace): string;
}

/** Every column that the vault sealed. One that is missing here would be lost to the rotation: a test reads the catalog. */
export const SEALED_COLUMNS: readonly ContextualColumn[] = [
  column('merchants', 'encryption_key_sealed', 'merchant_id', merchantKeyContext.encryptionKey),
  column('merchants', 'private_key_sealed', 'merchant_id', merchantKeyContext.privateKey),
  column('merchants', 'notification_secret_sealed', 'merchant_id', notificationSecretContext),
  column('recipients', 'bank_account_sealed', 'id', bankAccountContext),
  column('cards', 'number_sealed', 'id', cardContext.number),
  column('cards', 'network_token_sealed', 'id', cardContext.networkToken),
  column('card_security_codes', 'code_sealed', 'card_id', cardContext.securityCode),
  {
    table: 'idempotency_keys',
    column: 'response_sealed',
    key: 'key',
    keyType: 'text',
    context: ({ merchantId, key }) => responseContext(merchantId, key),
  },
];

/** A column whose rows are told by a UUID, and whose values are bound to it. */
function column(table: string, name: string, key: string, context: (id: string) => string): ContextualColumn {
  return { table, column: name, key, keyType: 'uuid', context: (place) => context(place.key) };
}
