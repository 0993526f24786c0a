import { MINUTE_MS } from '../../domain/durations.ts';
import { notificationSecretContext } from '../../services/merchants/change-merchant.ts';
import { merchantKeyContext } from '../../services/vault/merchant-keys.ts';
import { type Area, sealedColumn } from '../area.ts';

export const merchants: Area = {
  sealedColumns: [
    sealedColumn('merchants', 'encryption_key_sealed', 'merchant_id', merchantKeyContext.encryptionKey),
    sealedColumn('merchants', 'private_key_sealed', 'merchant_id', merchantKeyContext.privateKey),
    sealedColumn('merchants', 'notification_secret_sealed', 'merchant_id', notificationSecretContext),
  ],
  expiringTables: [
    {
      table: 'rate_windows',
      key: 'key_id, minute',
      expiresAt: 'minute',
      // It has only the windows of a few minutes.
      indexedBy: 'slot',
      isInAnySlot: true,
      kept_ms: 5 * MINUTE_MS,
    },
  ],
};
