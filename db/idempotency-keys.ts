import type { MerchantScope } from '../domain/scope.ts';
import type { Queryable } from './engine/database.ts';

/** The claim of an idempotency key by a request. */
export interface KeyClaim {
  readonly key: string;
  readonly operation: string;
  readonly bodyHash: Buffer;
  readonly resourceId: string;
  readonly leaseId: string;
  readonly leasedUntil: Date;
  readonly at: Date;
  readonly expiresAt: Date;
}

export interface KeyRow {
  readonly operation: string;
  readonly bodyHash: Buffer;
  readonly resourceId: string;
  readonly status: number | null;
  readonly sealedBody: Buffer | null;
}

interface Row {
  operation: string;
  body_hash: Buffer;
  resource_id: string;
  response_status: number | null;
  response_sealed: Buffer | null;
}

const COLUMNS = 'operation, body_hash, resource_id, response_status, response_sealed';

/**
 * Claims a key in one statement: inserts it, replaces one that has expired, or takes over the same request when its
 * lease ran out without an answer. Resolves to the claimed row; undefined when another run holds the key, or has
 * answered.
 */
export async function claimKey(
  q: Queryable,
  scope: MerchantScope,
  claim: KeyClaim,
): Promise<KeyRow | undefined> {
  const row = await q.maybeOne<Row>(
    scope,
    `insert into idempotency_keys as k (slot, merchant_id, key, operation, body_hash, resource_id, lease_id,
       leased_until, created_at, expires_at)
     values (:slot, :merchant_id, :key, :operation, :body_hash, :resource_id, :lease_id,
       :leased_until, :at, :expires_at)
     on conflict (slot, merchant_id, key) do update set
       operation = excluded.operation, body_hash = excluded.body_hash, lease_id = excluded.lease_id,
       leased_until = excluded.leased_until,
       resource_id = case when k.expires_at <= excluded.created_at then excluded.resource_id else k.resource_id end,
       response_status = null, response_sealed = null,
       created_at = case when k.expires_at <= excluded.created_at then excluded.created_at else k.created_at end,
       expires_at = case when k.expires_at <= excluded.created_at then excluded.expires_at else k.expires_at end
     where k.expires_at <= excluded.created_at
        or (k.response_status is null and k.leased_until <= excluded.created_at
            and k.operation = excluded.operation and k.body_hash = excluded.body_hash)
     returning ${COLUMNS}`,
    {
      key: claim.key,
      operation: claim.operation,
      body_hash: claim.bodyHash,
      resource_id: claim.resourceId,
      lease_id: claim.leaseId,
      leased_until: claim.leasedUntil,
      at: claim.at,
      expires_at: claim.expiresAt,
    },
  );
  return row === undefined ? undefined : toKeyRow(row);
}

export async function findKey(q: Queryable, scope: MerchantScope, key: string): Promise<KeyRow | undefined> {
  const row = await q.maybeOne<Row>(
    scope,
    `select ${COLUMNS} from idempotency_keys where {scope} and key = :key`,
    { key },
  );
  return row === undefined ? undefined : toKeyRow(row);
}

/** Stores the answer of the run that holds the lease. Returns false when another run has taken over the lease. */
export async function storeAnswer(
  q: Queryable,
  scope: MerchantScope,
  answer: { key: string; leaseId: string; status: number; sealedBody: Buffer },
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update idempotency_keys set response_status = :status, response_sealed = :sealed_body
      where {scope} and key = :key and lease_id = :lease_id and response_status is null`,
    { key: answer.key, lease_id: answer.leaseId, status: answer.status, sealed_body: answer.sealedBody },
  );
  return touched === 1;
}

/** Ends the lease of a run that gave no answer, so that the same request can be sent again at once. */
export async function releaseKey(
  q: Queryable,
  scope: MerchantScope,
  release: { key: string; leaseId: string; at: Date },
): Promise<void> {
  await q.execute(
    scope,
    `update idempotency_keys set leased_until = :at
      where {scope} and key = :key and lease_id = :lease_id and response_status is null`,
    { key: release.key, lease_id: release.leaseId, at: release.at },
  );
}

function toKeyRow(row: Row): KeyRow {
  return {
    operation: row.operation,
    bodyHash: row.body_hash,
    resourceId: row.resource_id,
    status: row.response_status,
    sealedBody: row.response_sealed,
  };
}
