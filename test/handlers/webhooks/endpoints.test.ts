import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { MAX_ENDPOINTS } from '../../../domain/webhooks/endpoint.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const URL_OF_SHOP = 'https://loja.invalid/hook';
const create = (fields: object = {}, at: Shop = shop) =>
  at.post('/webhook-endpoints', { url: URL_OF_SHOP, events: ['*'], ...fields });
const update = (id: string, body: object) => shop.call('PUT', `/webhook-endpoints/${id}`, { body });
const ownSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

describe('201 of createWebhookEndpoint', () => {
  test('returns a new secret, which no later answer shows', async () => {
    const { secret, ...endpoint } = await created(
      create({ events: ['payment.refunded'], description: 'Loja' }),
    );
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.deepEqual(
      { ...endpoint, id: '', created_at: '', updated_at: '' },
      {
        id: '',
        url: URL_OF_SHOP,
        events: ['payment.refunded'],
        description: 'Loja',
        status: 'active',
        disabled_reason: null,
        signed: true,
        previous_secret_expires_at: null,
        failing_since: null,
        faults: null,
        created_at: '',
        updated_at: '',
      },
    );
    assert.deepEqual(await shop.get(`/webhook-endpoints/${endpoint.id}`), endpoint);
    const list = await shop.call('GET', '/webhook-endpoints');
    assert.ok(!list.text.includes(secret));
  });

  test('accepts a secret of the merchant, and null for none', async () => {
    const secret = ownSecret();
    const own = await created(create({ secret }));
    assert.deepEqual([own.secret, own.signed], [secret, true]);
    const unsigned = await created(create({ secret: null }));
    assert.deepEqual([unsigned.secret, unsigned.signed], [null, false]);
  });

  test('the same idempotency key returns the same secret', async () => {
    const body = { url: URL_OF_SHOP, events: ['*'] };
    const first = await shop.post('/webhook-endpoints', body, 'endpoint-1');
    const again = await shop.post('/webhook-endpoints', body, 'endpoint-1');
    assert.equal(first.status, 201);
    assert.equal(again.text, first.text);
  });

  test('the secret is stored sealed', async () => {
    const { id, secret } = await created(create());
    const [row] = await service.rows<{ secret_sealed: Buffer }>(
      'select secret_sealed from webhook_endpoints where id = :id',
      { id },
    );
    assert.ok(!row!.secret_sealed.includes(secret.slice(6)));
    assert.ok(!row!.secret_sealed.includes(Buffer.from(secret.slice(6), 'base64')));
  });
});

describe('422 of createWebhookEndpoint', () => {
  const cases: [string, object, string][] = [
    ['http', { url: 'http://loja.invalid/hook' }, 'url'],
    ['an IP address', { url: 'https://127.0.0.1/hook' }, 'url'],
    ['a private name', { url: 'https://localhost/hook' }, 'url'],
    ['a port of another protocol', { url: 'https://loja.invalid:25/' }, 'url'],
    ['no event', { events: [] }, 'events'],
    ['an unknown event', { events: ['payment.payed'] }, 'events.0'],
    ['a short secret', { secret: 'whsec_c2hvcnQ=' }, 'secret'],
    ['an unknown field', { name: 'x' }, 'name'],
  ];
  for (const [what, fields, path] of cases) {
    test(what, async () => assertRefused(await create(fields), path));
  }

  test('refuses an endpoint above the limit, also in simultaneous requests', async () => {
    const other = await Shop.open(service);
    const answers = await Promise.all(
      Array.from({ length: MAX_ENDPOINTS + 3 }, () => create({ secret: null }, other)),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, MAX_ENDPOINTS);
    assertRefused(answers.find(({ status }) => status === 422)!, 'url');
    assert.equal((await other.get('/webhook-endpoints?per_page=100')).data.length, MAX_ENDPOINTS);
  });
});

describe('200 of updateWebhookEndpoint', () => {
  test('changes the fields that are sent, and keeps the others', async () => {
    const { secret: _, ...endpoint } = await created(create({ description: 'Loja' }));
    const { body } = await update(endpoint.id, { events: ['payment.created'], status: 'disabled' });
    assert.deepEqual(
      { ...body, updated_at: '' },
      { ...endpoint, events: ['payment.created'], status: 'disabled', updated_at: '' },
    );
    const enabled = await update(endpoint.id, { status: 'active', description: null });
    assert.deepEqual([enabled.body.status, enabled.body.description], ['active', null]);
    assert.deepEqual(await shop.get(`/webhook-endpoints/${endpoint.id}`), enabled.body);
  });

  test('replaces the secret at once, or removes it', async () => {
    const { id } = await created(create());
    assert.equal((await update(id, { secret: ownSecret() })).body.signed, true);
    assert.equal((await update(id, { secret: null })).body.signed, false);
  });

  test('an endpoint that the service disabled starts again without failures', async () => {
    const { id } = await created(create());
    await service.rows(
      "update webhook_endpoints set status = 'disabled', disabled_reason = 'x', failing_since = now() where id = :id",
      { id },
    );
    const { body } = await update(id, { status: 'active' });
    assert.deepEqual([body.status, body.disabled_reason, body.failing_since], ['active', null, null]);
  });
});

describe('422 of updateWebhookEndpoint', () => {
  for (const [body, path] of [
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ events: [] }, 'events'],
    [{ secret: 'secret' }, 'secret'],
    [{ status: 'gone' }, 'status'],
  ] as const) {
    test(`${path} of ${JSON.stringify(body)}`, async () => {
      const { id } = await created(create({ secret: null }));
      assertRefused(await update(id, body), path);
      await shop.call('DELETE', `/webhook-endpoints/${id}`);
    });
  }
});

describe('200 of rotateWebhookSecret', () => {
  test('returns a new secret, and until when the old one is used too', async () => {
    const before = await created(create());
    const { status, body } = await shop.post(`/webhook-endpoints/${before.id}/rotate-secret`);
    assert.equal(status, 200);
    assert.notEqual(body.secret, before.secret);
    const left_ms = Date.parse(body.previous_secret_expires_at) - Date.now();
    assert.ok(left_ms > 23.9 * 3_600_000 && left_ms <= 24 * 3_600_000);
  });

  test('gives a secret to an endpoint without one', async () => {
    const { id } = await created(create({ secret: null }));
    const { body } = await shop.post(`/webhook-endpoints/${id}/rotate-secret`);
    assert.deepEqual([body.signed, body.previous_secret_expires_at], [true, null]);
    await shop.call('DELETE', `/webhook-endpoints/${id}`);
  });
});

describe('204 of deleteWebhookEndpoint', () => {
  test('deletes the endpoint, and its deliveries can still be read', async () => {
    const { id } = await created(create());
    const ping = await created(shop.post(`/webhook-endpoints/${id}/ping`));
    assert.equal((await shop.call('DELETE', `/webhook-endpoints/${id}`)).status, 204);
    assert.equal((await shop.call('GET', `/webhook-endpoints/${id}`)).status, 404);
    assert.equal((await shop.call('DELETE', `/webhook-endpoints/${id}`)).status, 404);
    assert.equal((await shop.get(`/webhook-deliveries/${ping.id}`)).endpoint_id, id);
    assertRefused(await shop.post(`/webhook-deliveries/${ping.id}/redeliver`), 'status');
  });
});

describe('pingWebhookEndpoint and its delivery', () => {
  test('201: pending, without an event, listed by each filter', async () => {
    const { id } = await created(create());
    const ping = await created(shop.post(`/webhook-endpoints/${id}/ping`));
    assert.deepEqual(
      [ping.endpoint_id, ping.event, ping.event_id, ping.status, ping.attempts, ping.url],
      [id, 'ping', null, 'pending', [], URL_OF_SHOP],
    );
    assert.deepEqual(await shop.get(`/webhook-deliveries/${ping.id}`), ping);
    const found = async (query: string) =>
      (await shop.get(`/webhook-deliveries?${query}`)).data.map((delivery: { id: string }) => delivery.id);
    assert.deepEqual(await found(`endpoint_id=${id}`), [ping.id]);
    assert.deepEqual(await found(`endpoint_id=${id.toUpperCase()}&event=ping&status=pending`), [ping.id]);
    assert.deepEqual(await found(`endpoint_id=${id}&status=succeeded`), []);
    assert.deepEqual(await found(`endpoint_id=${id}&event=payment.created`), []);
    assert.deepEqual(await found(`event_id=${UNKNOWN_ID}`), []);
  });

  test('422 on status if the endpoint is disabled', async () => {
    const { id } = await created(create({ status: 'disabled' }));
    assertRefused(await shop.post(`/webhook-endpoints/${id}/ping`), 'status');
  });
});

describe('404', () => {
  for (const [method, path] of [
    ['GET', '/webhook-endpoints/'],
    ['DELETE', '/webhook-endpoints/'],
    ['GET', '/webhook-deliveries/'],
  ] as const)
    for (const id of [UNKNOWN_ID, '42', '%00'])
      test(`${method} ${path}${id}`, async () => {
        assert.equal((await shop.call(method, path + id)).status, 404);
      });
});
