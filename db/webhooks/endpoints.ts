import type { MerchantScope } from '../../domain/scope.ts';
import type { Endpoint, EndpointStatus } from '../../domain/webhooks/endpoint.ts';
import type { Faults } from '../../domain/webhooks/faults.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

/** The secrets of an endpoint, sealed by the vault. */
export interface SealedSecrets {
  readonly secretSealed: Buffer | null;
  readonly previousSecretSealed: Buffer | null;
}

export type StoredEndpoint = Endpoint & SealedSecrets;

export interface EndpointRow {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  status: EndpointStatus;
  disabled_reason: string | null;
  secret_sealed: Buffer | null;
  previous_secret_sealed: Buffer | null;
  previous_secret_expires_at: Date | null;
  failing_since: Date | null;
  idle_since: Date | null;
  faults: Faults | null;
  created_at: Date;
  updated_at: Date;
}

export const ENDPOINT_COLUMNS =
  `id url events description status disabled_reason secret_sealed previous_secret_sealed
  previous_secret_expires_at failing_since idle_since faults created_at updated_at`.split(/\s+/);
const COLUMNS = ENDPOINT_COLUMNS.join(', ');

/** Counts the merchant's endpoints. Other transactions that count them wait until this one ends. */
export async function lockEndpointCount(tx: Tx, scope: MerchantScope): Promise<number> {
  await tx.one(scope, 'select merchant_id from merchants where {scope} for no key update');
  const row = await tx.one<{ count: number }>(
    scope,
    'select count(*) as count from webhook_endpoints where {scope}',
  );
  return row.count;
}

export async function insertEndpoint(tx: Tx, scope: MerchantScope, endpoint: StoredEndpoint): Promise<void> {
  await tx.execute(
    scope,
    `insert into webhook_endpoints (slot, merchant_id, id, url, events, description, status, secret_sealed,
       created_at, updated_at)
     values (:slot, :merchant_id, :id, :url, :events, :description, :status, :secret_sealed, :created_at, :created_at)`,
    {
      id: endpoint.id,
      url: endpoint.url,
      events: endpoint.events,
      description: endpoint.description,
      status: endpoint.status,
      secret_sealed: endpoint.secretSealed,
      created_at: endpoint.createdAt,
    },
  );
}

export async function findEndpoint(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<StoredEndpoint | undefined> {
  const row = await q.maybeOne<EndpointRow>(
    scope,
    `select ${COLUMNS} from webhook_endpoints where {scope} and id = :id`,
    { id },
  );
  return row && toEndpoint(row);
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(
  tx: Tx,
  scope: MerchantScope,
  id: string,
): Promise<StoredEndpoint | undefined> {
  const row = await tx.maybeOne<EndpointRow>(
    scope,
    `select ${COLUMNS} from webhook_endpoints where {scope} and id = :id for update`,
    { id },
  );
  return row && toEndpoint(row);
}

/** Writes the fields of a locked endpoint that a merchant can change, except its status. */
export async function updateEndpoint(tx: Tx, scope: MerchantScope, endpoint: StoredEndpoint): Promise<void> {
  await tx.execute(
    scope,
    `update webhook_endpoints
        set url = :url, events = :events, description = :description, secret_sealed = :secret_sealed,
            previous_secret_sealed = :previous_secret_sealed,
            previous_secret_expires_at = :previous_secret_expires_at, updated_at = :updated_at
      where {scope} and id = :id`,
    {
      id: endpoint.id,
      url: endpoint.url,
      events: endpoint.events,
      description: endpoint.description,
      secret_sealed: endpoint.secretSealed,
      previous_secret_sealed: endpoint.previousSecretSealed,
      previous_secret_expires_at: endpoint.previousSecretExpiresAt,
      updated_at: endpoint.updatedAt,
    },
  );
}

/** Returns false if there is no such endpoint. */
export async function deleteEndpoint(tx: Tx, scope: MerchantScope, id: string): Promise<boolean> {
  const deleted = await tx.execute(scope, 'delete from webhook_endpoints where {scope} and id = :id', { id });
  return deleted === 1;
}

const ENDPOINTS = defineList<EndpointRow, object>({
  columns: COLUMNS,
  from: 'webhook_endpoints',
  filters: {},
});

/** Endpoints of the merchant, newest first. */
export async function listEndpoints(
  q: Queryable,
  scope: MerchantScope,
  page: PageRequest,
): Promise<Page<StoredEndpoint>> {
  return mapPage(await fetchPage(q, scope, ENDPOINTS, {}, page), toEndpoint);
}

/**
 * All active endpoints, with the fields that the fan-out needs. `isFailing`: its last attempt failed. `isHealthy`: it
 * does not fail and has no faults.
 */
export async function listActiveEndpoints(
  q: Queryable,
  scope: MerchantScope,
): Promise<
  (Pick<Endpoint, 'id' | 'url' | 'events'> & { readonly isFailing: boolean; readonly isHealthy: boolean })[]
> {
  return q.rows(
    scope,
    `select id, url, events, failing_since is not null as "isFailing",
            failing_since is null and faults is null as "isHealthy"
       from webhook_endpoints where {scope} and status = 'active'`,
  );
}

/**
 * Writes since when an endpoint fails, unless it was disabled since it was read, or fails since another time: it may
 * have been enabled again, or another process has written later results.
 */
export async function setFailures(
  q: Queryable,
  scope: MerchantScope,
  read: Pick<Endpoint, 'id' | 'failingSince'>,
  { failingSince, idleSince }: Pick<Endpoint, 'failingSince' | 'idleSince'>,
): Promise<void> {
  await q.execute(
    scope,
    `update webhook_endpoints set failing_since = :failing_since, idle_since = :idle_since
      where {scope} and id = :id and status = 'active' and failing_since is not distinct from :read_failing_since`,
    {
      id: read.id,
      failing_since: failingSince,
      idle_since: idleSince,
      read_failing_since: read.failingSince,
    },
  );
}

export function toEndpoint(row: EndpointRow): StoredEndpoint {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    signed: row.secret_sealed !== null,
    secretSealed: row.secret_sealed,
    previousSecretSealed: row.previous_secret_sealed,
    previousSecretExpiresAt: row.previous_secret_expires_at,
    failingSince: row.failing_since,
    idleSince: row.idle_since,
    faults: row.faults,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
