import assert from 'node:assert/strict';
import { assertInContract } from '../../support/http/contract-check.ts';
import type { Json } from '../../support/service.ts';
import { type DocumentedAnswer, keyOfTransaction, nameOf, requestExample } from './documented-answers.ts';
import { fillTransaction } from './http-request.ts';
import type { Recipe, RecipeRequest, Scene } from './recipe.ts';
import { recipes } from './recipes/index.ts';
import type { Hooks } from './run-dredd.ts';
import type { BrokenStep } from './steps.ts';
import { OutOfReach, type Target } from './target.ts';
import type { RealAnswer, Transaction } from './transaction.ts';

export interface Contract {
  readonly document: { readonly [key: string]: unknown };
  readonly answers: ReadonlyMap<string, DocumentedAnswer>;
}

/** What the hooks record about stories, by the key of the answer. */
export interface Notes {
  readonly brokenSteps: Map<string, readonly BrokenStep[]>;
  /** Stories whose preparation or clean-up failed. */
  readonly interrupted: Set<string>;
  /** Why an answer was not requested. */
  readonly notRequested: Map<string, string>;
}

/** Hooks of each transaction: they run the recipe, send its request, and check the answer more strictly than Dredd. */
export function contractHooks(
  contract: Contract,
  target: Target,
  at: (step: string) => void,
  { brokenSteps, interrupted, notRequested }: Notes,
): Hooks {
  let tidyUp: (() => Promise<void>) | undefined;
  return {
    async beforeEach(transaction) {
      const key = keyOfTransaction(transaction.id, transaction.origin);
      const answer = contract.answers.get(key);
      assert.ok(answer, `The contract has no such answer: ${transaction.id}`);
      const recipe = (recipes[answer.operationId] as Record<string, Recipe> | undefined)?.[answer.status];
      assert.ok(recipe, `No recipe brings about ${nameOf(answer)}.`);
      at(`the recipe of ${nameOf(answer)}`);
      brokenSteps.set(key, target.steps.begin());
      const scene = await sceneOf(contract, target, answer, transaction);
      const request = await requestOf(recipe, scene).catch((error: unknown) => {
        if (!(error instanceof OutOfReach)) {
          interrupted.add(key);
          throw error;
        }
        notRequested.set(key, error.message);
        return null;
      });
      if (request === null) {
        transaction.skip = true;
        return;
      }
      tidyUp = request.after;
      fillTransaction(transaction, scene, request);
      forgetOptionalHeaders(transaction, answer);
      at(`the request of ${nameOf(answer)}`);
    },
    async beforeEachValidation({ expected, real }) {
      // The events of an example are not those of the answer; `judge` checks them.
      if (isStream(real!)) expected.body = real!.body;
      // Dredd compares the exact text.
      const type = real!.headers['content-type'];
      if (type !== undefined) real!.headers['content-type'] = type.replace(/;\s*charset=utf-8$/, '');
    },
    async afterEach(transaction) {
      at(`what follows ${transaction.id}`);
      const after = tidyUp;
      tidyUp = undefined;
      try {
        if (transaction.real !== undefined) judge(transaction);
      } finally {
        await after?.().catch((error: unknown) => {
          interrupted.add(keyOfTransaction(transaction.id, transaction.origin));
          throw error;
        });
      }
    },
  };
}

async function requestOf(recipe: Recipe, scene: Scene): Promise<RecipeRequest> {
  scene.target.allow?.(nameOf(scene.answer));
  return recipe(scene);
}

async function sceneOf(
  { document }: Contract,
  target: Target,
  answer: DocumentedAnswer,
  { request }: Transaction,
): Promise<Scene> {
  return {
    target,
    merchant: await target.merchantOf(answer.operationId),
    answer,
    example: { uri: request.uri, body: parsed(request.body) },
    exampleOf: (operationId, name) => requestExample(document, operationId, name),
  };
}

/** Removes optional headers from what Dredd expects. It would require all of them. */
function forgetOptionalHeaders({ expected }: Transaction, { optionalHeaders }: DocumentedAnswer): void {
  const required = Object.entries(expected.headers).filter(
    ([name]) => !optionalHeaders.has(name.toLowerCase()),
  );
  expected.headers = Object.fromEntries(required);
}

/**
 * Dredd compares the keys of the body with those of the example. This checks types, bounds and headers, the code of a
 * refusal, and that a list is not empty.
 */
function judge({ request, expected, real }: Transaction): void {
  if (isStream(real!)) {
    judgeStream(request, real!);
    return;
  }
  const { statusCode: status, headers, body } = real!;
  assertInContract(request.method, request.uri, {
    status,
    headers: new Headers(headers),
    body: parsed(body),
  });
  const [sample, answered] = [parsed(expected.body), parsed(body)];
  const code = sample?.error?.code;
  if (code !== undefined) assert.equal(answered?.error?.code, code, 'The refusal has another code.');
  if (sample?.data?.length > 0) assert.ok(answered?.data?.length > 0, 'The list is empty.');
}

function isStream({ headers }: RealAnswer): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

/** Each event must be an answer of the operation that reads the same once: its path without the last part. */
function judgeStream(
  { method, uri }: Transaction['request'],
  { statusCode: status, headers, body }: RealAnswer,
): void {
  assertInContract(method, uri, { status, headers: new Headers(headers), body: undefined });
  const events = body!.split('\n').filter((line) => line.startsWith('data: '));
  assert.ok(events.length > 0, 'The stream has no event.');
  const path = uri.replace(/\/[^/]*$/, '');
  const asJson = new Headers({ ...headers, 'content-type': 'application/json' });
  for (const event of events) {
    const read = JSON.parse(event.slice('data: '.length));
    assertInContract(method, path, { status, headers: asJson, body: read });
  }
}

function parsed(body: string | undefined): Json {
  return body === undefined || body === '' ? undefined : JSON.parse(body);
}
