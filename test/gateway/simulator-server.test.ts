import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sign, signedRequest } from '../../gateway/signature.ts';
import { migrateSimulator } from '../../gateway/simulator/migrate.ts';
import {
  Customer,
  NOON,
  type RunningAcquirer,
  reference,
  SECRET,
  startAcquirer,
} from './support/acquirer.ts';

describe('the HTTP server of the simulator', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  async function post(
    path: string,
    body: string,
    header = sign(SECRET, Date.now(), signedRequest(path, body)),
  ) {
    const answer = await fetch(running.simulator.url + path, {
      method: 'POST',
      body,
      headers: { 'acquirer-signature': header },
    });
    return { status: answer.status, body: await answer.text() };
  }

  const refund = () => ({
    reference: reference(),
    account: 'a1',
    requested_at: NOON.toISOString(),
    payment_reference: reference(),
    method: 'credit_card',
    amount_centavos: 1,
  });

  it('answers 401 to a request without a signature, or with that of another path, body, secret or time', async () => {
    const [path, body] = ['/v1/refunds', JSON.stringify(refund())];
    const signed = signedRequest(path, body);
    assert.equal((await post(path, body)).status, 200);
    for (const header of [
      '',
      sign('other', Date.now(), signed),
      sign(SECRET, Date.now(), signedRequest('/v1/captures', body)),
      sign(SECRET, Date.now(), signedRequest(path, `${body} `)),
      sign(SECRET, Date.now() - 6 * 60_000, signed),
    ]) {
      assert.equal((await post(path, body, header)).status, 401, header);
    }
    assert.equal((await post('/control/reset', '{"account":"a1"}', '')).status, 401);
  });

  it('answers 400 with the name of the field, and without its value, to a request of another shape', async () => {
    const wrong: [string, unknown][] = [
      ['reference', 'Not A Reference'],
      ['reference', undefined],
      ['account', ''],
      ['requested_at', 'soon'],
      ['payment_reference', 5],
      ['method', 'card'],
      ['method', undefined],
      ['amount_centavos', 0],
      ['amount_centavos', 1.5],
      ['amount_centavos', '100'],
      ['amount_centavos', 1e300],
    ];
    for (const [field, value] of wrong) {
      const answer = await post('/v1/refunds', JSON.stringify({ ...refund(), [field]: value }));
      assert.equal(answer.status, 400, `${field} ${value}`);
      assert.deepEqual(JSON.parse(answer.body), { error: `The field ${field} is missing or malformed.` });
    }
    for (const body of ['', '{', '[]', 'null'])
      assert.equal((await post('/v1/refunds', body)).status, 400, body);
  });

  it('answers 404 to another path or method, and 413 to a body over 128 KiB', async () => {
    assert.equal((await post('/v1/loans', '{}')).status, 404);
    assert.equal((await post('/v1/refunds', 'x'.repeat(128 * 1024 + 1))).status, 413);
    assert.equal((await post('/v1/refunds', 'x'.repeat(128 * 1024))).status, 400);
    const header = sign(SECRET, Date.now(), signedRequest('/v1/refunds', ''));
    const got = await fetch(`${running.simulator.url}/v1/refunds`, {
      headers: { 'acquirer-signature': header },
    });
    assert.equal(got.status, 404);
    await got.body?.cancel();
  });

  it('recovers when its connections to the database are cut', async () => {
    const customer = new Customer(running);
    await running.books.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and query like '%simulator%'`,
    );
    const asked = customer.authorization();
    const first = await customer.acquirer.perform(asked);
    const second = first.kind === 'unknown' ? await customer.acquirer.perform(asked) : first;
    assert.equal(second.kind, 'approved');
  });

  it('is migrated once by many simultaneous starts', async () => {
    await running.books.query('drop schema simulator cascade');
    await Promise.all(Array.from({ length: 5 }, () => migrateSimulator(running.database.url)));
    await migrateSimulator(running.database.url);
    const customer = new Customer(running);
    assert.equal((await customer.acquirer.perform(customer.authorization())).kind, 'approved');
  });

  it('describes the life of the rows of every table', async () => {
    const { rows } = await running.books.query<{ table: string; comment: string | null }>(
      `select relname as table, obj_description(oid) as comment from pg_class
        where relnamespace = 'simulator'::regnamespace and relkind = 'r'`,
    );
    assert.ok(rows.length > 6);
    for (const { table, comment } of rows) assert.ok((comment?.length ?? 0) > 40, table);
  });
});
