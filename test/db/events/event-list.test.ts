import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Queryable } from '../../../db/engine/database.ts';
import { type EventFilter, listEvents } from '../../../db/events/events.ts';
import { readFeed } from '../../../db/events/feed.ts';
import { clientWithMerchant } from '../../support/db/bare-client.ts';
import { rowsRead } from '../../support/db/rows-read.ts';

const EVENTS = 10_000;
/** Of one object, from the first to the last. */
const OBJECT = '00000000-0000-7000-8000-00000000000a';
const EVERY = 250;
const OF_OBJECT = EVENTS / EVERY;

const { client, scope } = await clientWithMerchant();
before(async () => {
  await client.query(`
    with written as (
      insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
      select slot, merchant_id, gen_random_uuid(), 'payment.updated', 'payment', object_id, object_id, '{}', at
        from (select slot, merchant_id, timestamptz '2026-01-01' + n * interval '1 minute' as at,
                     case when n % ${EVERY} = 0 then uuid '${OBJECT}' else gen_random_uuid() end as object_id
                from merchants, generate_series(1, ${EVENTS}) n) m
      returning slot, merchant_id, id, created_at)
    insert into event_positions (slot, merchant_id, position, event_id, created_at)
    select slot, merchant_id, row_number() over (order by created_at), id, created_at from written;
    -- The statistics of events are old, as after many new ones.
    analyze event_positions`);
});

describe(`the ${OF_OBJECT} events of an object are read without the other ${EVENTS - OF_OBJECT}`, () => {
  const page = (filter: EventFilter, cursorAt: string | null) => (q: Queryable) => {
    const at = cursorAt === null ? null : { createdAt: cursorAt, id: OBJECT };
    return listEvents(q, scope, filter, { perPage: 20, after: at, createdFrom: null, createdBefore: null });
  };
  const feed = (afterPosition: number) => (q: Queryable) =>
    readFeed(q, scope, { afterPosition, objectId: OBJECT, limit: 21 });

  const READS: [what: string, read: (q: Queryable) => Promise<unknown>, most: number][] = [
    ['newest first', page({ objectId: OBJECT }, null), 21],
    ['at depth', page({ objectId: OBJECT }, '2026-01-02T00:00:00.000000Z'), 21],
    ['by payment', page({ paymentId: OBJECT }, null), 21],
    ['by name, too', page({ objectId: OBJECT, event: 'payment.refunded' }, null), OF_OBJECT],
    ['oldest first', feed(0), OF_OBJECT],
    ['oldest first, at depth', feed(EVENTS - EVERY), OF_OBJECT],
  ];
  for (const [what, read, most] of READS) {
    test(what, async () => {
      const [rows = 0] = await rowsRead(client, read);
      assert.ok(rows <= most, `${rows} rows were read in one step`);
    });
  }
});
