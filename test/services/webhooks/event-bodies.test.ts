/** How much of the bodies of deliveries a worker keeps in memory. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, it } from 'node:test';
import { EventBodies } from '../../../services/webhooks/event-bodies.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { startTestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';

const MAX_CACHED_MIB = 32;

const service = await startTestService({ jobs: false });
after(() => service.stop());
const shop = await Shop.open(service);
const scope = shop.onboarded.merchant;

/** Adds events whose bodies have a little more than 1 MiB each. Returns their ids. */
async function addLargeEvents(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await service.rows(
    `insert into events (slot, merchant_id, id, event, object_type, object_id, data, created_at)
     select slot, merchant_id, new.id, 'payment.created', 'payment', new.id,
            jsonb_build_object('text', repeat('x', 1024 * 1024)), now()
       from merchants, unnest(cast(:ids as uuid[])) new (id) where merchant_id = :merchant`,
    { ids, merchant: shop.account },
  );
  return ids;
}

it(`at most ${MAX_CACHED_MIB} MiB of bodies are cached, those that were read last`, async () => {
  const { db, statements } = recordStatements(service.deps.db);
  const bodies = new EventBodies({ ...service.deps, db });
  const ids = await addLargeEvents(MAX_CACHED_MIB + 1);
  const reads = async (id: string) => {
    statements.length = 0;
    const found = await bodies.of(scope, [id]);
    assert.ok(found.get(id)!.length > 1024 * 1024);
    return statements.length;
  };
  for (const id of ids) assert.equal(await reads(id), 1);
  for (const id of ids.slice(2)) assert.equal(await reads(id), 0, 'it is cached');
  for (const id of ids.slice(0, 2)) assert.equal(await reads(id), 1, 'it was evicted');
});
