/** What signs the deliveries of an endpoint, before and after a change of its secret. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.ts';
import { signatureHeaders, signingKeys } from '../../../services/webhooks/signature.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { type Receiver, verified } from '../../support/webhooks/receiver.ts';

const { service, open, deliver, letPass } = await startDeliveringService();

/** The header of an arrival, signed with these secrets at its own time, which can be far from now. */
function signatures(secrets: readonly string[], { text, headers }: Receiver['arrivals'][number]) {
  const id = headers['webhook-id'] as string;
  const message = { id, timestamp_s: Number(headers['webhook-timestamp']), body: text };
  return signatureHeaders(signingKeys(secrets), message)['webhook-signature'];
}

describe('the secrets of an endpoint', () => {
  it('can be rotated if the present one cannot be read, and nothing is sent before', async () => {
    const { shop, receiver, endpoint, path, deliveries } = await open();
    await service.rows(
      `update webhook_endpoints set secret_sealed = set_byte(secret_sealed, 20, get_byte(secret_sealed, 20) # 1)
        where id = :id returning id`,
      { id: endpoint.id },
    );
    await shop.post(`${path}/ping`);
    await deliver();
    const [failed] = await deliveries();
    assert.deepEqual([failed.status, failed.error.code], ['pending', 'secret_unreadable']);
    assert.match(failed.error.message, /Rotate it; for a notification URL, ask the operator/);
    assert.notEqual((await shop.get(path)).failing_since, null);
    assert.equal(receiver.arrivals.length, 0);
    const { secret } = (await shop.post(`${path}/rotate-secret`)).body;
    letPass(6_000);
    await deliver();
    verified(secret, receiver.arrivals[0]!);
    assert.equal((await deliveries())[0].status, 'succeeded');
  });

  it('both sign for a day after a rotation, then the new one alone', async () => {
    const { shop, receiver, endpoint, path } = await open();
    const { secret } = (await shop.post(`${path}/rotate-secret`)).body;
    const ping = async () => {
      await shop.post(`${path}/ping`);
      await deliver();
      return receiver.arrivals.at(-1)!;
    };
    const during = await ping();
    for (const one of [secret, endpoint.secret]) verified(one, during);
    letPass(DAY_MS - MINUTE_MS);
    const last = await ping();
    assert.equal(last.headers['webhook-signature'], signatures([secret, endpoint.secret], last));
    letPass(2 * MINUTE_MS);
    const later = await ping();
    assert.equal(later.headers['webhook-signature'], signatures([secret], later));
    assert.equal((await shop.get(path)).previous_secret_expires_at, null);
  });

  it('may be none: then nothing is signed', async () => {
    const { shop, receiver, path } = await open({ secret: null });
    await shop.post(`${path}/ping`);
    await deliver();
    const [{ headers }] = receiver.arrivals as [Receiver['arrivals'][number]];
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('webhook-')),
      [],
    );
    assert.match(headers['x-service-delivery'] as string, /^[0-9a-f-]{36}$/);
  });

  it('can be taken away, and given again', async () => {
    const { shop, receiver, endpoint, path } = await open();
    const signed = async (secret: string | null) => {
      await shop.call('PUT', path, { body: { secret } });
      await shop.post(`${path}/ping`);
      await deliver();
      return receiver.arrivals.at(-1)!;
    };
    assert.equal((await signed(null)).headers['webhook-signature'], undefined);
    const again = await signed(endpoint.secret);
    assert.equal(again.headers['webhook-signature'], signatures([endpoint.secret], again));
  });
});
