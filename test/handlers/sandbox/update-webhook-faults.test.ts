import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const shop = await Shop.open(await sharedService({ jobs: false }));
const { id } = await created(
  shop.post('/webhook-endpoints', { url: 'https://loja.invalid/hook', events: ['*'] }),
);
const put = (body: object, of: string = id) =>
  shop.call('PUT', `/sandbox/webhook-endpoints/${of}/faults`, { body });
const shown = async () => (await shop.get(`/webhook-endpoints/${id}`)).faults;
const NONE = { duplicate: false, reorder: false, delay_s: 0, drop_first: 0, wrong_signature: false };

describe('200 of updateWebhookFaults', () => {
  test('sets faults, which the endpoint and the list show', async () => {
    const { body } = await put({ duplicate: true, drop_first: 2 });
    assert.deepEqual(body, { ...NONE, duplicate: true, drop_first: 2 });
    assert.deepEqual(await shown(), body);
    const { data } = await shop.get('/webhook-endpoints');
    assert.deepEqual(data[0].faults, body);
  });

  test('switches off what is not sent', async () => {
    await put({ duplicate: true, drop_first: 2 });
    assert.deepEqual((await put({ reorder: true })).body, { ...NONE, reorder: true });
    assert.deepEqual((await put({})).body, NONE);
    assert.equal(await shown(), null);
  });

  test('takes an id in upper case, and every fault at its maximum', async () => {
    const all = { duplicate: true, reorder: true, delay_s: 3_600, drop_first: 10, wrong_signature: true };
    assert.deepEqual((await put(all, id.toUpperCase())).body, all);
    assert.deepEqual(await shown(), all);
  });

  test('survives an update of the endpoint', async () => {
    const { body } = await put({ wrong_signature: true });
    const update = { body: { description: 'Loja' } };
    assert.deepEqual((await shop.call('PUT', `/webhook-endpoints/${id}`, update)).body.faults, body);
    assert.deepEqual((await shop.post(`/webhook-endpoints/${id}/rotate-secret`)).body.faults, body);
  });
});

describe('422 of updateWebhookFaults', () => {
  for (const [body, path] of [
    [{ delay_s: 3_601 }, 'delay_s'],
    [{ delay_s: -1 }, 'delay_s'],
    [{ delay_s: 0.5 }, 'delay_s'],
    [{ drop_first: 11 }, 'drop_first'],
    [{ duplicate: 'yes' }, 'duplicate'],
    [{ reorder: null }, 'reorder'],
    [{ lose: true }, 'lose'],
  ] as const)
    test(JSON.stringify(body), async () => assertRefused(await put(body), path));
});

describe('404 of updateWebhookFaults', () => {
  for (const unknown of [UNKNOWN_ID, '42'])
    test(unknown, async () => assert.equal((await put({}, unknown)).status, 404));
});
