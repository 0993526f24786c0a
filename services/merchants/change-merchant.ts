import {
  findMerchantById,
  type MerchantChanges,
  type MerchantRecord,
  updateMerchant,
} from '../../db/merchants/merchants.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** What the operator can change of a merchant. An absent setting stays; null restores the default. */
export interface MerchantSettings extends Omit<MerchantChanges, 'notificationSecretSealed'> {
  /** Signs what goes to the notification addresses of orders, links and subscriptions; null: unsigned. */
  readonly notificationSecret?: string | null;
}

/** What the vault binds a merchant's notification secret to. */
export const notificationSecretContext = (merchantId: string) =>
  `merchants.notification_secret:${merchantId}`;

/** Changes a merchant's settings, all in one statement. The values are checked by the caller. Refusal: `not_found`. */
export async function changeMerchant(
  deps: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<MerchantRecord> {
  const merchant = await findMerchantById(deps.db, merchantId);
  if (merchant === undefined) throw notFound('Merchant');
  await updateMerchant(deps.db, merchant, sealed(deps, merchantId, settings), deps.wall());
  return (await findMerchantById(deps.db, merchantId))!;
}

function sealed(
  { vault }: Pick<Deps, 'vault'>,
  merchantId: string,
  { notificationSecret: secret, ...settings }: MerchantSettings,
): MerchantChanges {
  if (secret === undefined) return settings;
  const context = notificationSecretContext(merchantId);
  return { ...settings, notificationSecretSealed: secret === null ? null : vault.seal(secret, context) };
}
