import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { assertBooksAgree } from '../../support/books.ts';
import { advance, advanceBy, clockNow, MINUTE_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { holdPayment } from '../../support/hold.ts';
import { type MoneyService, startMoneyService } from '../../support/money-service.ts';
import { companyBody } from '../../support/parties.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const NOTHING = {
  recipients: 0,
  customers: 0,
  cards: 0,
  orders: 0,
  payments: 0,
  refunds: 0,
  events: 0,
  scripts: 0,
};

let service: MoneyService;
let shop: Shop;
before(async () => {
  service = await startMoneyService();
});
after(() => service.stop());
beforeEach(async () => {
  shop = await Shop.open(service);
});

const reset = (idempotencyKey?: string) => shop.post('/sandbox/reset', undefined, idempotencyKey);

/** Tables of rows that belong to merchants, but for the counts of requests: from the catalog, so also those to come. */
async function tablesOfMerchants(): Promise<string[]> {
  const rows = await service.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'merchant_id' and table_name <> 'rate_windows' order by 1`,
  );
  return rows.map(({ name }) => name);
}

async function rowsPerTable(account: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfMerchants()) {
    const [row] = await service.rows<{ n: number }>(
      `select count(*) as n from ${table} where merchant_id = :account`,
      { account },
    );
    counts[table] = row!.n;
  }
  return counts;
}

/** Something of every kind. */
async function fill(of: Shop): Promise<void> {
  await created(of.post('/recipients', companyBody()));
  await created(of.post('/recipients', companyBody()));
  const paid = await of.cardPayment();
  await created(of.refund(paid.id, 1_000));
  await of.pixPayment();
  const customerId = await of.customer();
  const cardId = await of.card(customerId, '5555555555554444');
  const deleted = await of.card(customerId, '4000000000000002');
  await of.call('DELETE', `/cards/${deleted}`);
  const outcomes = [{ operation: 'authorize', outcome: 'lost_card' }];
  await created(of.post('/sandbox/scripts', { card_id: cardId, outcomes }, 'a script'));
  await of.simulate((await of.pixPayment()).id, 'paid');
  await advanceBy(of, 31 * MINUTE_MS);
}

describe('200', () => {
  test('empties every table but the account, its keys and its settings, and counts what it deleted', async () => {
    await fill(shop);
    const filled = await rowsPerTable(shop.account);
    const empty = Object.entries(filled).filter(([, rows]) => rows === 0);
    assert.deepEqual(empty, [], 'the test leaves a table out');
    const { status, body, text } = await reset('the reset itself');
    assert.equal(status, 200, text);
    const { events, ...counts } = body.deleted;
    assert.deepEqual(counts, {
      recipients: 2,
      customers: 4,
      cards: 2,
      orders: 3,
      payments: 3,
      refunds: 1,
      scripts: 1,
    });
    assert.equal(events, filled.events);
    const left = Object.entries(await rowsPerTable(shop.account)).filter(([, rows]) => rows > 0);
    assert.deepEqual(Object.fromEntries(left), { api_keys: 1, idempotency_keys: 1, merchants: 1 });
    for (const table of ['payments', 'operations', 'planned', 'script_steps', 'scripts', 'notifications']) {
      const books = `select 1 from simulator.${table} where account = :account`;
      assert.deepEqual(await service.rows(books, { account: shop.account }), [], table);
    }
  });

  test('sets the clock back to the present, at the acquirer too', async () => {
    await advance(shop, { days: 50 });
    assert.equal((await reset()).status, 200);
    assert.ok(Math.abs((await clockNow(shop)) - Date.now()) < 5 * SECOND_MS);
    const { pix, id } = await shop.pixPayment();
    assert.ok(Date.parse(pix.expires_at) < Date.now() + 31 * MINUTE_MS);
    const books = await service.rows<{ clock_offset_ms: number }>(
      'select clock_offset_ms from simulator.accounts where account = :account',
      { account: shop.account },
    );
    assert.deepEqual(books, [{ clock_offset_ms: 0 }]);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
  });

  test('lets everything begin anew: numbers, e-mails, codes and idempotency keys', async () => {
    const recipient = companyBody();
    const order = shop.pixOrderBody();
    const first = await created(shop.post('/recipients', recipient, 'r-1'));
    const placed = await created(shop.post('/charges/orders', order, 'o-1'));
    await reset();
    const second = await created(shop.post('/recipients', recipient, 'r-1'));
    assert.deepEqual([first.number, second.number], [1, 1]);
    assert.notEqual(first.id, second.id);
    const again = await created(shop.post('/charges/orders', order, 'o-1'));
    assert.notEqual(again.id, placed.id);
    assert.equal((await shop.call('GET', `/payments/${placed.payment.id}`)).status, 404);
    await shop.simulate(again.payment.id, 'paid');
    await assertBooksAgree(service, shop.account);
  });

  test('leaves the key, the settings and every other merchant as they were', async () => {
    const other = await Shop.open(service);
    await fill(other);
    const [theirs, account] = [await rowsPerTable(other.account), await shop.get('/merchant')];
    await fill(shop);
    await reset();
    assert.deepEqual(await rowsPerTable(other.account), theirs);
    assert.deepEqual(await shop.get('/merchant'), account);
    await assertBooksAgree(service, other.account);
  });

  test('of an empty sandbox deletes nothing', async () => {
    assert.deepEqual((await reset()).body, { deleted: NOTHING });
  });

  test('is repeated word for word under its Idempotency-Key, and deletes once', async () => {
    await shop.customer();
    const first = await reset('reset-1');
    assert.equal(first.body.deleted.customers, 1);
    await shop.customer();
    const again = await reset('reset-1');
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.equal((await shop.get('/customers')).data.length, 1);
  });

  const waits = () =>
    until('the reset waits', async () => {
      const waiting = await service.rows(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length > 0;
    });

  test('waits for what is being changed, and leaves nothing of it', async () => {
    const { id } = await shop.pixPayment();
    await using hold = await holdPayment(service, id);
    const asked = reset();
    await waits();
    await hold.release();
    const { status, body } = await asked;
    assert.deepEqual([status, body.deleted.payments], [200, 1]);
  });

  test('waits for what is being made, and leaves nothing of it', async () => {
    const id = await shop.customer();
    const { merchant } = shop.onboarded;
    let asked: ReturnType<typeof reset>;
    await service.deps.db.transaction(async (tx) => {
      await tx.execute(
        merchant,
        `insert into customers (slot, merchant_id, id, hash, name, email, email_key, created_at, updated_at)
         select slot, merchant_id, gen_random_uuid(), hash || '2', name, email, email_key || '2', created_at, updated_at
           from customers where {scope} and id = :id`,
        { id },
      );
      asked = reset();
      await waits();
    });
    assert.equal((await asked!).body.deleted.customers, 2);
  });

  test('in the midst of orders and refunds leaves nothing, and refuses what it cuts short so that it may be sent again', async () => {
    const paid = await Promise.all(Array.from({ length: 5 }, () => shop.cardPayment()));
    const bodies = await Promise.all(Array.from({ length: 5 }, () => shop.cardOrderBody()));
    const answers = await Promise.all([
      ...paid.flatMap(({ id }) => [shop.refund(id, 100), shop.refund(id, 200)]),
      ...bodies.map((body) => shop.post('/charges/orders', body)),
      ...Array.from({ length: 5 }, () => shop.post('/charges/orders', shop.pixOrderBody())),
      reset(),
      ...paid.map(({ id }) => shop.refund(id, 300)),
      ...paid.map(({ id }) => shop.post(`/sandbox/payments/${id}/simulate`, { outcome: 'paid' })),
    ]);
    const [kept, cut] = [new Set([200, 201, 404, 422]), new Set([503])];
    for (const { status, text } of answers) assert.ok(kept.has(status) || cut.has(status), text);
    assert.equal((await reset()).status, 200);
    const left = Object.entries(await rowsPerTable(shop.account)).filter(([, rows]) => rows > 0);
    assert.deepEqual(Object.fromEntries(left), { api_keys: 1, merchants: 1 });
  });
});

describe('401 and 403', () => {
  test('no key, and a key without the permission', async () => {
    assert.equal((await shop.call('POST', '/sandbox/reset', { key: null })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['sandbox:read']);
    assert.equal((await shop.call('POST', '/sandbox/reset', { key: apiKey })).status, 403);
  });
});

describe('409', () => {
  test('while the clock is on its way', async () => {
    const { id, pix } = await shop.pixPayment();
    await using hold = await holdPayment(service, id);
    const asked = shop.post('/sandbox/clock/advance', { days: 1 });
    await until('the clock stands at the expiry', async () => {
      return (await shop.get('/sandbox/clock')).now === pix.expires_at;
    });
    const refused = await reset();
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'clock_advancing']);
    await hold.release();
    assert.equal((await asked).status, 200);
    await assertBooksAgree(service, shop.account);
    assert.equal((await reset()).body.deleted.payments, 1);
  });
});

describe('503', () => {
  test('an acquirer that does not answer; nothing is deleted', async () => {
    const { id } = await shop.pixPayment();
    const { reset: real } = service.control;
    service.control.reset = async () => {
      throw new Error('down');
    };
    const answer = await reset();
    service.control.reset = real;
    assert.equal(answer.status, 503);
    assert.equal((await shop.payment(id)).status, 'waiting_payment');
  });
});
