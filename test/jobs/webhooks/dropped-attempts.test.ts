/** The fault `drop_first` of the sandbox. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { RETRIES_MS } from '../../../domain/webhooks/retry-schedule.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { FaultyDeliveries } from '../../support/webhooks/faulty-deliveries.ts';

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const faulty = new FaultyDeliveries(service);
after(() => service.stop());

describe('drop_first', () => {
  it('fails the first attempts without sending them, and the next attempt follows the schedule', async () => {
    const { shop, receiver, endpoint, ping } = await faulty.open({ drop_first: 2 });
    const path = await ping();
    await faulty.deliver();
    faulty.letPass(6_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 0);
    const dropped = await shop.get(path);
    assert.deepEqual(
      dropped.attempts.map(({ error, response_status }: Json) => [error.code, response_status]),
      [
        ['simulated_drop', null],
        ['simulated_drop', null],
      ],
    );
    assert.deepEqual([dropped.status, dropped.error.code], ['pending', 'simulated_drop']);
    faulty.letPass(301_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 1);
    faulty.assertSigned(endpoint.secret, receiver.arrivals[0]!);
    const { status, attempts } = await shop.get(path);
    assert.deepEqual([status, attempts.length], ['succeeded', 3]);
  });

  it('does not drop a delivery again that is requested again, unless it has had fewer attempts', async () => {
    const { shop, receiver, setFaults, ping } = await faulty.open({ drop_first: 1 });
    const path = await ping();
    const codes = async () => (await shop.get(path)).attempts.map(({ error }: Json) => error?.code ?? null);
    await faulty.deliver();
    await shop.post(`${path}/redeliver`);
    await faulty.deliver();
    assert.deepEqual([await codes(), receiver.arrivals.length], [['simulated_drop', null], 1]);
    await setFaults({ drop_first: 3 });
    await shop.post(`${path}/redeliver`);
    await faulty.deliver();
    assert.deepEqual(
      [await codes(), receiver.arrivals.length],
      [['simulated_drop', null, 'simulated_drop'], 1],
    );
    await shop.post(`${path}/redeliver`);
    await faulty.deliver();
    assert.deepEqual([(await codes()).slice(2), receiver.arrivals.length], [['simulated_drop', null], 2]);
  });

  it('does not delay the other deliveries, and the endpoint does not count as failing', async () => {
    const { shop, receiver, endpoint, ping } = await faulty.open({ drop_first: 1 });
    const paths: string[] = [];
    for (let i = 0; i < 20; i += 1) paths.push(await ping());
    await faulty.deliver();
    for (const path of paths) assert.equal((await shop.get(path)).error?.code, 'simulated_drop');
    const { failing_since } = await shop.get(`/webhook-endpoints/${endpoint.id}`);
    assert.equal(failing_since, null);
    await shop.pixPayment();
    await faulty.deliver();
    faulty.letPass(RETRIES_MS[0]!);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 22);
  });

  it('does not hide that the endpoint fails', async () => {
    const { shop, receiver, endpoint, setFaults, ping } = await faulty.open({});
    receiver.answer = (_, response) => response.writeHead(500).end();
    await ping();
    await faulty.deliver();
    await setFaults({ drop_first: 1 });
    const failingSince = async () => (await shop.get(`/webhook-endpoints/${endpoint.id}`)).failing_since;
    const before = await failingSince();
    assert.notEqual(before, null);
    await ping();
    await faulty.deliver();
    assert.equal(await failingSince(), before);
  });

  it('applies to each delivery', async () => {
    const { receiver, ping } = await faulty.open({ drop_first: 1 });
    await ping();
    await faulty.deliver();
    faulty.letPass(6_000);
    await ping();
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 1);
    faulty.letPass(6_000);
    await faulty.deliver();
    assert.equal(receiver.arrivals.length, 2);
  });
});
