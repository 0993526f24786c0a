/** A search for new events must cost the same however many events of a merchant wait. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { merchantsWithOutbox, slotsWithOutbox } from '../../../db/events/outbox.ts';
import { SLOTS } from '../../../domain/scope.ts';
import { pagesRead, rowsRead, type Search } from '../../support/db/search-cost.ts';
import { startTestService } from '../../support/service.ts';

const WAITING = 20_000;
/** The index of the events of the merchant with many has more than 150. */
const MOST_PAGES = 20;
const SLOT = 7;
const merchant = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
const [MANY, ONE, ELSEWHERE] = [merchant(1), merchant(2), merchant(3)];

const service = await startTestService({ jobs: false });
const { db } = service.deps;
const client = new Client(service.databaseUrl);

const add = (slot: number, merchantId: string, count: number) =>
  client.query(
    `insert into event_outbox (slot, merchant_id, event_id) select $1, $2, gen_random_uuid() from generate_series(1, $3)`,
    [slot, merchantId, count],
  );
before(async () => {
  await client.connect();
  await client.query('delete from event_outbox');
  await add(SLOT, ONE, 1);
  await add(250, ELSEWHERE, 1);
});
after(async () => {
  await client.end();
  await service.stop();
});

const claim = { only: null, except: [] as string[], limit: 5 };
const merchants = async (changes: object = {}) => {
  const found = await merchantsWithOutbox(db, SLOT, { ...claim, ...changes });
  return found.map(({ merchantId }) => merchantId);
};

test('a few events are found', async () => {
  assert.deepEqual((await slotsWithOutbox(db)).sort(), [250, SLOT]);
  assert.deepEqual(await merchants(), [ONE]);
});

describe('while one merchant has many', () => {
  before(async () => {
    await add(SLOT, MANY, WAITING);
    await client.query('vacuum analyze event_outbox');
  });

  test('the slots are found', async () => {
    assert.deepEqual((await slotsWithOutbox(db)).sort(), [250, SLOT]);
    const rows = await rowsRead(client, slotsWithOutbox);
    assert.ok(rows <= 3 * SLOTS, `${rows} rows were read`);
  });

  const searches: readonly [what: string, changes: object, expected: string[]][] = [
    ['all merchants', {}, [MANY, ONE]],
    ['the first merchant', { limit: 1 }, [MANY]],
    ['the others', { except: [MANY] }, [ONE]],
    ['a certain merchant', { only: MANY }, [MANY]],
    ['a merchant without events', { only: ELSEWHERE }, []],
  ];
  for (const [what, changes, expected] of searches)
    test(`${what}: found with few pages`, async () => {
      assert.deepEqual(await merchants(changes), expected);
      const search: Search = (on) => merchantsWithOutbox(on, SLOT, { ...claim, ...changes });
      const pages = await pagesRead(client, search);
      assert.ok(pages <= MOST_PAGES, `${pages} pages were read`);
    });
});
