import type { Merchant, MerchantStatus, PaymentMethod } from '../domain/merchant.ts';
import type { Database } from './database.ts';

export type KeyStatus = 'active' | 'disabled' | 'suspended' | 'revoked';

export interface KeyHolder {
  readonly keyId: string;
  readonly status: KeyStatus;
  readonly permissions: readonly string[] | null;
  readonly merchant: Merchant;
}

interface KeyHolderRow {
  id: string;
  status: KeyStatus;
  permissions: string[] | null;
  merchant_id: string;
  name: string;
  legal_name: string;
  merchant_status: MerchantStatus;
  plan: string;
  mccs: string[];
  payment_methods: PaymentMethod[];
  currencies: string[];
  rate_limit_per_minute: number | null;
  offset_ms: number | null;
  pinned_at: Date | null;
}

/** The key with this hash and the merchant that it speaks for: one row of one slot, asked for on every request. */
export async function findKeyHolder(
  db: Database,
  slot: number,
  hash: Buffer,
): Promise<KeyHolder | undefined> {
  const [row] = await db.slotRows<KeyHolderRow>(
    slot,
    `select k.id, k.status, k.permissions, m.merchant_id, m.name, m.legal_name, m.status as merchant_status, m.plan,
            m.mccs, m.payment_methods, m.currencies, m.rate_limit_per_minute, c.offset_ms, c.pinned_at
       from api_keys k
       join merchants m on m.slot = k.slot and m.merchant_id = k.merchant_id
       left join merchant_clocks c on c.slot = k.slot and c.merchant_id = k.merchant_id
      where {slot:k} and k.key_hash = :hash`,
    { hash },
  );
  if (row === undefined) return undefined;
  return { keyId: row.id, status: row.status, permissions: row.permissions, merchant: toMerchant(slot, row) };
}

function toMerchant(slot: number, row: KeyHolderRow): Merchant {
  return {
    slot,
    merchantId: row.merchant_id,
    name: row.name,
    legalName: row.legal_name,
    status: row.merchant_status,
    plan: row.plan,
    mccs: row.mccs,
    paymentMethods: row.payment_methods,
    currencies: row.currencies,
    rateLimitPerMinute: row.rate_limit_per_minute,
    clock: { offset_ms: row.offset_ms ?? 0, pinnedAt: row.pinned_at },
  };
}
