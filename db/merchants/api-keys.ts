import type { ApiKey, ApiKeyStatus } from '../../domain/merchants/api-key.ts';
import type { Merchant, MerchantStatus } from '../../domain/merchants/merchant.ts';
import type { PaymentMethod } from '../../domain/merchants/payment-methods.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { Database, Queryable } from '../engine/database.ts';

export interface KeyHolder {
  readonly keyId: string;
  readonly status: ApiKeyStatus;
  readonly permissions: readonly string[] | null;
  readonly merchant: Merchant;
}

interface KeyHolderRow {
  id: string;
  status: ApiKeyStatus;
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
  dunning_days: number[] | null;
  offset_ms: number | null;
  pinned_at: Date | null;
}

/** The key with this hash and its merchant. Read for every request: one row of one slot. */
export async function findKeyHolder(
  db: Database,
  slot: number,
  hash: Buffer,
): Promise<KeyHolder | undefined> {
  const [row] = await db.lookUp.keyRows<KeyHolderRow>(
    slot,
    `select k.id, k.status, k.permissions, m.merchant_id, m.name, m.legal_name, m.status as merchant_status, m.plan,
            m.mccs, m.payment_methods, m.currencies, m.rate_limit_per_minute, m.dunning_days, c.offset_ms,
            c.pinned_at
       from api_keys k
       join merchants m on {slot:m} and m.merchant_id = k.merchant_id
       left join merchant_clocks c on {slot:c} and c.merchant_id = k.merchant_id
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
    dunningDays: row.dunning_days,
    clock: { offset_ms: row.offset_ms ?? 0, pinnedAt: row.pinned_at },
  };
}

interface ApiKeyRow {
  slot: number;
  merchant_id: string;
  id: string;
  name: string;
  prefix: string;
  last_4: string;
  status: ApiKeyStatus;
  permissions: string[] | null;
  created_at: Date;
  last_used_at: Date | null;
}

const RECORD = 'slot, merchant_id, id, name, prefix, last_4, status, permissions, created_at, last_used_at';

export async function insertApiKey(
  q: Queryable,
  key: Omit<ApiKey, 'lastUsedAt' | 'status'> & { readonly keyHash: Buffer },
): Promise<void> {
  await q.execute(
    key,
    `insert into api_keys (slot, merchant_id, id, name, prefix, last_4, key_hash, status, permissions, created_at)
     values (:slot, :merchant_id, :id, :name, :prefix, :last_4, :key_hash, 'active', :permissions, :created_at)`,
    {
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      last_4: key.last4,
      key_hash: key.keyHash,
      permissions: key.permissions,
      created_at: key.createdAt,
    },
  );
}

export async function listApiKeys(q: Queryable, scope: MerchantScope): Promise<ApiKey[]> {
  const rows = await q.rows<ApiKeyRow>(
    scope,
    `select ${RECORD} from api_keys where {scope} order by created_at, id`,
  );
  return rows.map(toApiKeyRecord);
}

/** For administration: finds a key by its id only. */
export async function findApiKeyById(db: Database, id: string): Promise<ApiKey | undefined> {
  const [row] = await db.anywhere<ApiKeyRow>(`select ${RECORD} from api_keys where id = :id`, { id });
  return row === undefined ? undefined : toApiKeyRecord(row);
}

/**
 * Moves a key from one status to another. Returns false when the key is not in `from`. The only statement that changes
 * the status of a key.
 */
export async function moveApiKeyRow(
  q: Queryable,
  scope: MerchantScope,
  id: string,
  { from, to }: RowMove<ApiKeyStatus>,
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    'update api_keys set status = :to where {scope} and id = :id and status = any(:from)',
    { id, from, to },
  );
  return touched === 1;
}

/** Stores when a key was last used, unless a later time is stored. Called every few seconds for a key in use. */
export async function touchApiKey(
  q: Queryable,
  scope: MerchantScope,
  id: string,
  usedAt: Date,
): Promise<void> {
  await q.execute(
    scope,
    `update api_keys set last_used_at = :used_at
      where {scope} and id = :id and (last_used_at is null or last_used_at < :used_at)`,
    { id, used_at: usedAt },
  );
}

function toApiKeyRecord(row: ApiKeyRow): ApiKey {
  return {
    slot: row.slot,
    merchantId: row.merchant_id,
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    last4: row.last_4,
    status: row.status,
    permissions: row.permissions,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
