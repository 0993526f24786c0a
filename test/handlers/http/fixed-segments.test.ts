/** An identifier that merchants choose can be the same word as a fixed segment of a path. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type { Document } from 'openapi-backend';
import { loadContract } from '../../../handlers/http/load-contract.ts';
import { TrieRouter } from '../../../handlers/http/router.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const contract = loadContract();
const operations = [...contract.operations.values()];
const router = new TrieRouter({
  definition: contract.document as unknown as Document,
  apiRoot: '/api/v1',
  ignoreTrailingSlashes: false,
});
const routed = (method: string, path: string) => {
  const request = { method, path: `/api/v1${path}`, headers: {} };
  const operation = router.matchOperation(request);
  return { operationId: operation?.operationId, params: router.parseRequest(request, operation).params };
};

/** Each operation whose parameter is in the place of a fixed segment, with that segment. */
function shadowed(): {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly word: string;
}[] {
  return operations.flatMap(({ operationId, method, path }) => {
    const segments = path.split('/');
    const at = segments.findIndex((segment) => segment.startsWith('{'));
    if (at === -1) return [];
    const before = segments.slice(0, at).join('/');
    const words = operations
      .map((other) => other.path.split('/'))
      .filter((other) => other.slice(0, at).join('/') === before && other[at]?.startsWith('{') === false)
      .map((other) => other[at]!);
    const pathOf = (word: string) => segments.map((each, index) => (index === at ? word : each)).join('/');
    const isFree = (word: string) =>
      !operations.some((other) => other.method === method && other.path === pathOf(word));
    return [...new Set(words)]
      .filter(isFree)
      .map((word) => ({ operationId, method, path: pathOf(word), word }));
  });
}

describe('an identifier that is also a fixed segment', () => {
  it('is routed to each operation that has it as a parameter', () => {
    const cases = shadowed();
    assert.ok(cases.some(({ operationId, word }) => operationId === 'getSubscription' && word === 'cancel'));
    for (const { operationId, method, path, word } of cases) {
      const { operationId: found, params } = routed(method, path);
      assert.deepEqual([found, Object.values(params)[0]], [operationId, word], `${method} ${path}`);
    }
  });

  it('does not hide the operation of the fixed segment', () => {
    for (const { operationId, method, path } of operations) {
      if (!path.includes('{')) assert.equal(routed(method, path).operationId, operationId, path);
    }
  });

  it('reaches the subscription whose code is cancel', async () => {
    const { id } = await subscribed(shop, { code: 'cancel' });
    assert.equal((await shop.get('/subscriptions/cancel')).id, id);
    const reactivated = await shop.post('/subscriptions/cancel/reactivate');
    assert.deepEqual([reactivated.status, Object.keys(reactivated.body.errors)], [422, ['status']]);
    const { status, body } = await shop.post('/subscriptions/cancel', { code: 'cancel' });
    assert.deepEqual([status, body.id, body.status], [200, id, 'canceled']);
    assert.equal((await shop.post('/subscriptions/cancel/reactivate')).status, 200);
  });

  it('has the methods of both paths in Allow', async () => {
    const response = await fetch(`${service.url}/api/v1/subscriptions/cancel`, { method: 'DELETE' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'POST, GET');
  });
});
