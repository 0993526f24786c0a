import type { TestService } from '../service.ts';

interface EndpointRows {
  readonly url: string;
  readonly merchants: number;
  /** Endpoints of each merchant. */
  readonly endpoints: number;
  /** The slot of all merchants. Default: they are spread over all slots. */
  readonly slot?: number;
  /** Pings of each endpoint. Default 1. */
  readonly pending?: number;
  /** Since when the pings are due. */
  readonly due: string;
}

/** Adds merchants with endpoints that have pending pings, in one statement. */
export async function addEndpoints(
  service: TestService,
  { url, merchants, endpoints, slot, pending = 1, due }: EndpointRows,
): Promise<void> {
  await service.rows(
    `with merchant as materialized (
       select coalesce(cast(:slot as smallint), (n % 256)::smallint) as slot, gen_random_uuid() as merchant_id
         from generate_series(1, cast(:merchants as integer)) n),
     copied as (
       insert into merchants (slot, merchant_id, name, legal_name, status, plan, mccs, payment_methods,
         encryption_key_sealed, private_key_sealed, public_key_jwk, created_at, updated_at)
       select n.slot, n.merchant_id, name, legal_name, status, plan, mccs, payment_methods, encryption_key_sealed,
              private_key_sealed, public_key_jwk, m.created_at, m.updated_at
         from merchant n cross join (select * from merchants limit 1) m),
     endpoint as materialized (
       select slot, merchant_id, gen_random_uuid() as id
         from merchant, generate_series(1, cast(:endpoints as integer))),
     added as (
       insert into webhook_endpoints (slot, merchant_id, id, url, events, status, created_at, updated_at)
       select slot, merchant_id, id, :url, '{*}', 'active', now(), now() from endpoint),
     delivery as (
       insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, next_attempt_at, created_at)
       select slot, merchant_id, gen_random_uuid(), id, id, :url, 'ping', cast(:due as timestamptz), now()
         from endpoint, generate_series(1, cast(:pending as integer)))
     insert into webhook_queues (slot, merchant_id, id, due_at)
     select slot, merchant_id, id, cast(:due as timestamptz) from endpoint`,
    { slot: slot ?? null, merchants, endpoints, url, pending, due },
  );
}
