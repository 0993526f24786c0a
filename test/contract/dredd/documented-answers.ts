import type { OperationId } from '../../../handlers/http/handler.ts';

type Node = { readonly [key: string]: unknown };

/** One answer that the contract documents: a status of an operation. */
export interface DocumentedAnswer {
  readonly operationId: OperationId;
  /** `POST` */
  readonly method: string;
  /** Template below the server's prefix. */
  readonly path: string;
  /** As the document spells it: `201`. */
  readonly status: string;
  /** Names of the headers that the answer may leave out, lower case. */
  readonly optionalHeaders: ReadonlySet<string>;
}

/** `createCustomer 201`: the name of an answer, and of the recipe that provokes it. */
export function nameOf({ operationId, status }: DocumentedAnswer): string {
  return `${operationId} ${status}`;
}

/** Every answer that the bundled document lists, by Dredd's words for it. */
export function documentedAnswers(document: Node): Map<string, DocumentedAnswer> {
  const answers = new Map<string, DocumentedAnswer>();
  for (const [path, item] of Object.entries(document.paths as Record<string, Record<string, Node>>)) {
    for (const [method, operation] of Object.entries(item)) {
      for (const [status, response] of Object.entries((operation.responses ?? {}) as Record<string, Node>)) {
        const answer: DocumentedAnswer = {
          operationId: operation.operationId as OperationId,
          method: method.toUpperCase(),
          path,
          status,
          optionalHeaders: optionalHeaders(document, response),
        };
        answers.set(keyOf(answer.method, status, path), answer);
      }
    }
  }
  return answers;
}

/** An example of an operation's request body, by its name; without one, the first. */
export function requestExample(document: Node, operationId: OperationId, name?: string): unknown {
  const operations = Object.values(document.paths as Record<string, Record<string, Node>>).flatMap((item) =>
    Object.values(item),
  );
  const operation = operations.find((candidate) => candidate.operationId === operationId)!;
  const { content } = operation.requestBody as {
    content: Record<string, { examples: Record<string, Node> }>;
  };
  const { examples } = content['application/json']!;
  const example = name === undefined ? Object.values(examples)[0] : examples[name];
  return resolve(document, example!).value;
}

function keyOf(method: string, status: string, path: string): string {
  return `${method} (${status}) ${path}`;
}

/** Finds an answer by the title and origin that Dredd gives to a transaction and to the report of it. */
export function keyOfTransaction(title: string, origin: { readonly resourceName: string }): string {
  const [method = '', status = ''] = title.split(' ');
  return keyOf(method, status.slice(1, -1), origin.resourceName);
}

function optionalHeaders(document: Node, response: Node): Set<string> {
  const headers = Object.entries((resolve(document, response).headers ?? {}) as Record<string, Node>);
  return new Set(
    headers
      .filter(([, header]) => resolve(document, header).required !== true)
      .map(([name]) => name.toLowerCase()),
  );
}

function resolve(document: Node, node: Node): Node {
  if (typeof node.$ref !== 'string') return node;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split('/')) target = (target as Node)[part];
  return target as Node;
}
