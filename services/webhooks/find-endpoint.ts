import type { Tx } from '../../db/engine/database.ts';
import {
  findEndpoint as findEndpointRow,
  listEndpoints as listEndpointRows,
  lockEndpoint as lockEndpointRow,
  type StoredEndpoint,
} from '../../db/webhooks/endpoints.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { Deps } from '../deps.ts';
import { type Page, type PageInput, pageRequest } from '../page-request.ts';
import { notFound } from '../refusal.ts';

/** An endpoint by its id. Refusal: `not_found`. */
export async function findEndpoint(deps: Deps, merchant: Merchant, id: string): Promise<Endpoint> {
  return orNotFound(
    isCanonicalUuid(id) ? await findEndpointRow(deps.db, merchant, normalizeUuid(id)) : undefined,
  );
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(tx: Tx, merchant: Merchant, id: string): Promise<StoredEndpoint> {
  return orNotFound(isCanonicalUuid(id) ? await lockEndpointRow(tx, merchant, normalizeUuid(id)) : undefined);
}

/** Endpoints of the merchant, newest first. Refuses `cursor`. */
export function listEndpoints(deps: Deps, merchant: Merchant, page: PageInput): Promise<Page<Endpoint>> {
  return listEndpointRows(deps.db, merchant, pageRequest(page));
}

function orNotFound(endpoint: StoredEndpoint | undefined): StoredEndpoint {
  if (endpoint === undefined) throw notFound('Webhook endpoint');
  return endpoint;
}
