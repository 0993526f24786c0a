import {
  findMerchantById,
  type MerchantChanges,
  type MerchantRecord,
  updateMerchant,
} from '../../db/merchants/merchants.ts';
import type { MerchantStatus, PaymentMethod } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** What the operator may change of a merchant. An absent setting stays; null goes back to the default. */
export interface MerchantSettings {
  readonly name?: string;
  readonly legalName?: string;
  readonly document?: string | null;
  readonly status?: MerchantStatus;
  readonly plan?: string;
  readonly mccs?: readonly string[];
  readonly paymentMethods?: readonly PaymentMethod[];
  readonly rateLimitPerMinute?: number | null;
  readonly webhookRetries_ms?: readonly number[] | null;
  readonly dunningDays?: readonly number[] | null;
  /** Signs what goes to the notification addresses of orders, links and subscriptions; null: unsigned. */
  readonly notificationSecret?: string | null;
}

/** What the vault binds a merchant's notification secret to. */
export const notificationSecretContext = (merchantId: string) =>
  `merchants.notification_secret:${merchantId}`;

/** Changes a merchant's settings, all in one statement. The values are checked by the caller. Throws not_found. */
export async function changeMerchant(
  deps: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
  settings: MerchantSettings,
): Promise<MerchantRecord> {
  const merchant = await findMerchantById(deps.db, merchantId);
  if (merchant === undefined) throw notFound('Merchant');
  await updateMerchant(deps.db, merchant, columnsOf(deps, merchantId, settings), deps.wall());
  return (await findMerchantById(deps.db, merchantId))!;
}

function columnsOf(
  { vault }: Pick<Deps, 'vault'>,
  merchantId: string,
  settings: MerchantSettings,
): MerchantChanges {
  const { notificationSecret: secret } = settings;
  const columns = {
    name: settings.name,
    legal_name: settings.legalName,
    document: settings.document,
    status: settings.status,
    plan: settings.plan,
    mccs: settings.mccs,
    payment_methods: settings.paymentMethods,
    rate_limit_per_minute: settings.rateLimitPerMinute,
    webhook_retries_ms: settings.webhookRetries_ms,
    dunning_days: settings.dunningDays,
    notification_secret_sealed:
      typeof secret === 'string' ? vault.seal(secret, notificationSecretContext(merchantId)) : secret,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}
