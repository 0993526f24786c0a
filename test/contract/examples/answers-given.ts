import assert from 'node:assert/strict';
import { onAnswer } from '../../support/http/contract-check.ts';
import { type Json, request } from '../../support/service.ts';
import { type DocumentedAnswer, nameOf, requestExample } from '../dredd/documented-answers.ts';
import { httpRequestOf } from '../dredd/http-request.ts';
import type { ContractMerchant } from '../dredd/merchant.ts';
import type { Recipe, Scene } from '../dredd/recipe.ts';
import { recipes } from '../dredd/recipes/index.ts';
import { startTarget, type Target } from '../dredd/target.ts';
import { placeOf } from './documented-examples.ts';
import { playScenes } from './scenes.ts';

/** Bodies that the running service gave, by where the contract describes them; those of refusals by status, too. */
export type AnswersGiven = ReadonlyMap<string, Json[]>;

/** Has the service give every answer of the contract, a shared refusal once, and every event. */
export async function answersGiven(
  document: Json,
  answers: readonly DocumentedAnswer[],
): Promise<AnswersGiven> {
  const places = new Map(answers.map((answer) => [nameOf(answer), placeOf(document, answer)]));
  const given = new Map<string, Json[]>();
  const keep = (place: string | undefined, body: unknown) => {
    if (place !== undefined) given.set(place, [...(given.get(place) ?? []), body]);
  };
  using _listening = onAnswer((operationId, status, body) => {
    keep(places.get(`${operationId} ${status}`), body);
    if (status >= 400) keep(String(status), body);
  });
  // The receiver of webhooks is on this machine.
  await using target = await startTarget({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
  const asked = new Set<string>();
  for (const answer of answers) {
    const place = placeOf(document, answer);
    if (asked.has(place)) continue;
    asked.add(place);
    await ask(document, target, answer);
  }
  const merchant = await target.merchantOf('scenes');
  const broken = target.steps.begin();
  await playScenes(merchant, (operationId, name) => requestExample(document, operationId, name));
  for (const event of await eventsOf(merchant)) keep(event.event, event);
  for (const event of await eventsOf(await target.merchantOf('getEvent'))) keep(event.event, event);
  assert.deepEqual(broken, []);
  return given;
}

async function ask(document: Json, target: Target, answer: DocumentedAnswer): Promise<void> {
  const { operationId, method, path, status } = answer;
  const recipe = (recipes[operationId] as Record<string, Recipe>)[status]!;
  const takesBody = document.paths[path][method.toLowerCase()].requestBody !== undefined;
  const scene: Scene = {
    target,
    merchant: await target.merchantOf(operationId),
    answer,
    example: { uri: path, body: takesBody ? requestExample(document, operationId) : undefined },
    exampleOf: (of, name) => requestExample(document, of, name),
  };
  const broken = target.steps.begin();
  const asked = await recipe(scene);
  const { path: requestPath, headers, body } = httpRequestOf(scene, asked);
  try {
    const { status: got, text } = await request(asked.baseUrl ?? target.url, null, method, requestPath, {
      headers: lowerCase(headers),
      ...(body === '' ? {} : { rawBody: body }),
    });
    if (String(got) !== status) throw new Error(`${nameOf(answer)} was answered ${got}: ${text}`);
  } finally {
    await asked.after?.();
  }
  assert.deepEqual(broken, [], nameOf(answer));
}

function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** All events of a merchant. */
async function eventsOf(merchant: ContractMerchant): Promise<Json[]> {
  const events: Json[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: Json = await merchant.call('GET', `/events?per_page=100${query}`);
    events.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  return events;
}
