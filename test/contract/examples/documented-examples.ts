import type { Json } from '../../support/service.ts';
import type { DocumentedAnswer } from '../dredd/documented-answers.ts';

/** An example answer, or a webhook's body. */
export interface DocumentedExample {
  /** `createOrder 201 order_pix`, `InvalidOrder invalid`, `payment.created created` */
  readonly name: string;
  /** Where answers like it are found: its own place, and for a refusal whatever is refused with its status. */
  readonly places: readonly string[];
  readonly value: Json;
}

/**
 * Where an answer is written down: a refusal that operations share once for all of them, anything else at its
 * operation and status.
 */
export function placeOf(document: Json, { operationId, status, method, path }: DocumentedAnswer): string {
  const { $ref } = document.paths[path][method.toLowerCase()].responses[status];
  return $ref === undefined ? `${operationId} ${status}` : String($ref.split('/').at(-1));
}

/** Every example of every answer, each place once, and those of the webhooks by the name of their event. */
export function documentedExamples(document: Json, answers: Iterable<DocumentedAnswer>): DocumentedExample[] {
  const media = new Map<string, { status?: string; content: Json }>();
  for (const answer of answers) {
    const { method, path, status } = answer;
    const response = follow(document, document.paths[path][method.toLowerCase()].responses[status]);
    media.set(placeOf(document, answer), { status, content: response.content?.['application/json'] });
  }
  for (const [event, { post }] of Object.entries<Json>(document.webhooks)) {
    media.set(event, { content: post.requestBody.content['application/json'] });
  }
  return [...media].flatMap(([place, { status, content }]) =>
    Object.entries<Json>(content?.examples ?? {}).map(([name, example]) => ({
      name: `${place} ${name}`,
      places: status?.startsWith('4') || status?.startsWith('5') ? [place, status] : [place],
      value: follow(document, example).value,
    })),
  );
}

function follow(document: Json, node: Json): Json {
  const parts: string[] = node.$ref?.slice(2).split('/') ?? [];
  return parts.length === 0 ? node : parts.reduce((part: Json, key) => part[key], document);
}
