import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DAY_MS } from '../../domain/durations.ts';
import { startSimulator } from '../../gateway/simulator/start.ts';
import { until } from '../support/until.ts';
import { Customer, later, NOON, type RunningAcquirer, SECRET, startAcquirer } from './support/acquirer.ts';

describe('the clock of an account', () => {
  let running: RunningAcquirer;
  before(async () => {
    running = await startAcquirer();
  });
  after(() => running.stop());

  it('returns when the next operation is due, or null', async () => {
    const customer = new Customer(running);
    const { control, account } = customer;
    assert.equal(await control.nextDue(account), null);
    await customer.registered();
    assert.deepEqual(await control.nextDue(account), later(3_600_000));
    const paying = await customer.registered(99_990_007);
    assert.deepEqual(await control.nextDue(account), later(10_000));
    await customer.simulate(paying, 'paid');
    assert.deepEqual(await control.nextDue(account), later(3_600_000));
    await control.runDue(account, later(3_600_000));
    assert.deepEqual(await control.nextDue(account), later(2 * DAY_MS));
  });

  it('runs due operations in order, each at its own time, and those that follow from them', async () => {
    const customer = new Customer(running);
    const { control, account } = customer;
    // Planned in another order than they fall due.
    const card = await customer.authorized('4000000000007726', true);
    await customer.refund(card, 2_500);
    const plain = await customer.registered();
    const won = await customer.registered(99_990_008);
    assert.deepEqual(await control.runDue(account, later(9_999)), { delivered: 0 });
    assert.deepEqual(await control.runDue(account, later(10 * DAY_MS)), { delivered: 5 });
    assert.deepEqual(
      customer.sink.of(account).map(({ type, occurredAt }) => [type, occurredAt.getTime() - NOON.getTime()]),
      [
        ['pix.paid', 10_000],
        ['pix.expired', 3_600_000],
        ['refund.approved', DAY_MS],
        ['chargeback.requested', 2 * DAY_MS + 10_000],
        ['chargeback.won', 4 * DAY_MS + 10_000],
      ],
    );
    const references = customer.sink.of(account).map(({ reference }) => reference);
    assert.deepEqual([references[0], references[1], references[4]], [won, plain, won]);
    assert.deepEqual(await control.runDue(account, later(10 * DAY_MS)), { delivered: 0 });
  });

  it('delivers the notification of each operation before the next', async () => {
    const customer = new Customer(running);
    await customer.registered(99_990_007);
    running.sink.refuse(3, 500);
    await customer.control.runDue(customer.account, later(3 * DAY_MS));
    assert.deepEqual(customer.sink.types(customer.account), ['pix.paid', 'chargeback.requested']);
  });

  it('runs operations of only this account by itself once they are due', async () => {
    const [moved, still] = [new Customer(running), new Customer(running)];
    await moved.registered(99_990_001);
    await still.registered(99_990_001);
    await moved.control.setClock(moved.account, NOON.getTime() + 60_000 - Date.now());
    await until('it is paid', () => moved.sink.types(moved.account).length === 1);
    assert.deepEqual(moved.sink.types(moved.account), ['pix.paid']);
    assert.deepEqual(still.sink.of(still.account), []);
  });

  it('runs each operation once with several simulators', async (t) => {
    const others = await Promise.all(
      [1, 2].map(() =>
        startSimulator({
          databaseUrl: running.database.url,
          secret: SECRET,
          notificationUrl: running.sink.url,
        }),
      ),
    );
    t.after(() => Promise.all(others.map((other) => other.stop())));
    const customer = new Customer(running);
    await Promise.all(Array.from({ length: 40 }, () => customer.registered(99_990_001)));
    await customer.control.setClock(customer.account, NOON.getTime() + 60_000 - Date.now());
    const ran = await Promise.all(
      [1, 2].map(async () => {
        const { delivered } = await customer.control.runDue(customer.account, later(60_000));
        const next = await customer.control.nextDue(customer.account);
        return { delivered, next: next?.getTime() };
      }),
    );
    // Nothing is left when either answers, whichever of them ran the operations.
    for (const { next } of ran) assert.equal(next, undefined);
    assert.ok(ran.every(({ delivered }) => delivered <= 40));
    const ids = customer.sink.of(customer.account).map(({ reference }) => reference);
    assert.equal(ids.length, 40);
    assert.equal(new Set(ids).size, 40);
  });

  it('is removed by a reset, and then set to the same time', async () => {
    const customer = new Customer(running);
    const { control, account } = customer;
    await customer.script('authorize', ['lost_card', 'lost_card']);
    await customer.authorized();
    await customer.registered();
    const other = new Customer(running);
    const kept = await other.authorized();
    assert.deepEqual(await control.reset(account), { scripts: 1 });
    assert.deepEqual(await control.reset(account), { scripts: 0 });
    assert.equal(await control.nextDue(account), null);
    assert.equal((await customer.acquirer.perform(customer.authorization())).kind, 'approved');
    assert.equal((await other.inquire(kept)).kind, 'approved');
  });
});
