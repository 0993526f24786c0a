import type { Tx } from '../../db/engine/database.ts';
import { findMerchantById, type MerchantChanges, updateMerchant } from '../../db/merchants/merchants.ts';
import type { MerchantRecord, MerchantStatus } from '../../domain/merchants/merchant.ts';
import { MERCHANT_MOVE_TO, merchantMachine } from '../../domain/merchants/merchant-moves.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, notInThisState } from '../refusal.ts';

/** The settings that the operator can change. Absent settings do not change; null restores the default. */
export interface MerchantSettings extends Omit<MerchantChanges, 'notificationSecretSealed'> {
  readonly status?: MerchantStatus;
  /** Signs notifications to the addresses of orders, links and subscriptions. Null: they are not signed. */
  readonly notificationSecret?: string | null;
}

/** The vault context of a merchant's notification secret. */
export const notificationSecretContext = (merchantId: string) =>
  `merchants.notification_secret:${merchantId}`;

/**
 * Changes a merchant's settings and status in one statement. The caller checks the values; `check` runs before, in the
 * same transaction. Refusals: `not_found`; `wrong_state` for a move that the account does not allow.
 */
export async function changeMerchant(
  deps: Pick<Deps, 'db' | 'vault' | 'wall'>,
  merchantId: string,
  settings: MerchantSettings,
  check: (tx: Tx, merchant: MerchantScope) => Promise<void> = async () => {},
): Promise<MerchantRecord> {
  const merchant = await findMerchantById(deps.db, merchantId);
  if (merchant === undefined) throw notFound('Merchant');
  const { status, ...rest } = settings;
  const move = status && merchantMachine.rowMove(MERCHANT_MOVE_TO[status], 'operator');
  const changes = sealed(deps, merchantId, rest);
  await deps.db.transaction(merchant, async (tx) => {
    await check(tx, merchant);
    if (!(await updateMerchant(tx, merchant, { changes, at: deps.wall(), move }))) {
      throw notInThisState(`The account is ${merchant.status}.`);
    }
  });
  return (await findMerchantById(deps.db, merchantId))!;
}

function sealed(
  { vault }: Pick<Deps, 'vault'>,
  merchantId: string,
  { notificationSecret: secret, ...settings }: Omit<MerchantSettings, 'status'>,
): MerchantChanges {
  if (secret === undefined) return settings;
  const context = notificationSecretContext(merchantId);
  return { ...settings, notificationSecretSealed: secret === null ? null : vault.seal(secret, context) };
}
