import { randomBytes, randomUUID } from 'node:crypto';
import { uuidV7 } from '../../../domain/identifiers.ts';
import { LONGEST_ANSWER_MS } from '../../support/service.ts';
import { holdUp } from './held-request.ts';
import { httpRequestOf } from './http-request.ts';
import type { Recipe, RecipeRequest, Scene } from './recipe.ts';

/*
 * Recipes of the refusals that operations share. Each takes the recipe of a request that would be carried out, and
 * spoils one thing about it, so that nothing else can be the reason of the refusal.
 */

const spoil =
  (change: (request: RecipeRequest, scene: Scene) => RecipeRequest | Promise<RecipeRequest>) =>
  (ready: Recipe): Recipe =>
  async (scene) =>
    change(await ready(scene), scene);

/** 401: no key, or for a write a well-formed one that was never given out. */
export const withoutKey = spoil((request, { answer, merchant }) => ({
  ...request,
  key: answer.method === 'GET' ? null : merchant.unknownKey(),
}));
/** 403 */
const withoutPermission = spoil(async (request, { answer, merchant }) => ({
  ...request,
  key: await merchant.keyThatMay(answer.operationId.includes('Wallet') ? 'merchant:read' : 'wallet:read'),
}));
/** 404 where the id is a UUID. */
export const unknownId = (parameter: string) =>
  spoil((request) => ({
    ...request,
    path: { ...request.path, [parameter]: uuidV7(Date.now(), randomBytes) },
  }));
/** 400 */
const brokenJson = spoil((request) => ({ ...request, rawBody: '{"code": ' }));
/** The maximum length of a body, as the contract says. */
const MAX_BODY_BYTES = 256 * 1024;
/** 413 */
export const oversize = spoil((request, scene) => {
  const body = JSON.parse(httpRequestOf(scene, request).body) as object;
  return { ...request, rawBody: JSON.stringify({ ...body, padding: 'x'.repeat(MAX_BODY_BYTES) }) };
});
/** 415 */
export const plainText = spoil((request) => ({
  ...request,
  headers: { ...request.headers, 'Content-Type': 'text/plain' },
}));
/** 429 */
export const usedUp = spoil(async (request, { target }) => ({ ...request, key: await target.usedUpKey() }));
/** 503 */
export const overloaded = spoil((request, { target }) => ({ ...request, baseUrl: target.overloadedUrl }));
/** 422 of every list. */
export const pageTooLong = spoil((request) => ({ ...request, query: { per_page: '101' } }));

/** 422 of every operation without a body or query parameters. */
export const unknownParameter = spoil((request) => ({ ...request, query: { expand: 'payment' } }));

/** 422 of a POST without a body: the key was used for the creation of a customer. */
export const keyReused = spoil(async (request, { merchant }) => {
  const idempotencyKey = randomUUID();
  await merchant.call('POST', '/customers', {
    body: { name: 'Ana Souza', email: `${idempotencyKey}@example.com` },
    idempotencyKey,
  });
  return { ...request, headers: { ...request.headers, 'Idempotency-Key': idempotencyKey } };
});

/**
 * 409: a first request with the same key is in progress. It waits for the lock of a table that its operation needs, and
 * must succeed when the lock is released.
 */
export const inFlight = (ready: Recipe, table: string): Recipe =>
  spoil(async (request, scene) => {
    const idempotencyKey = randomUUID();
    const keyed = { ...request, headers: { ...request.headers, 'Idempotency-Key': idempotencyKey } };
    const { target, answer } = scene;
    const send = () => sendRequest(scene, keyed);
    const hasBegun = () => target.hasBegun(idempotencyKey);
    const after = await holdUp(target, table, { operationId: answer.operationId, send, hasBegun });
    return { ...keyed, after };
  })(ready);

function sendRequest(scene: Scene, request: RecipeRequest): Promise<Response> {
  const { path, headers, body } = httpRequestOf(scene, request);
  return fetch(`${scene.target.url}/api/v1${path}`, {
    method: scene.answer.method,
    headers,
    ...(body === '' ? {} : { body }),
    signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
  });
}

/** The refusals of every operation that takes a key. */
export function guarded(ready: Recipe) {
  return {
    401: withoutKey(ready),
    403: withoutPermission(ready),
    429: usedUp(ready),
    503: overloaded(ready),
  };
}

/** The refusals of every operation that takes a body. */
export function bodyRefusals(ready: Recipe) {
  return { 400: brokenJson(ready), 413: oversize(ready), 415: plainText(ready) };
}
