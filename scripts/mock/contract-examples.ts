export type Json = Record<string, unknown>;

/** What the mock needs to know about an operation. */
export interface MockedOperation {
  readonly operationId: string;
  /** Status to examples of the body by name, in the order of the contract. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
  /** Paths of the fields of the request body with an enum: `['payment', 'payment_method']`. */
  readonly choices: readonly (readonly string[])[];
}

export interface FoundOperation extends MockedOperation {
  /** Values of the path parameters. */
  readonly parameters: readonly string[];
}

/** Finds the operation of a request by its method and its path below the server's prefix. */
export type FindOperation = (method: string, path: string) => FoundOperation | null;

/** The operations of a bundled contract. */
export function operationsOf(document: Json): FindOperation {
  const operations = Object.entries(document.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '([^/]+)')}$`),
        mocked: mockedOperation(document, operation),
      })),
  );
  return (method, path) => {
    const matching = operations.flatMap(({ method: own, pattern, mocked }) => {
      const match = own === method ? pattern.exec(path) : null;
      return match === null ? [] : [{ ...mocked, parameters: match.slice(1).map(decoded) }];
    });
    // A path without parameters wins over one with them.
    return matching.sort((a, b) => a.parameters.length - b.parameters.length)[0] ?? null;
  };
}

function mockedOperation(document: Json, operation: Json): MockedOperation {
  const body = mediaOf(document, operation.requestBody);
  const answers = Object.entries(operation.responses as Json).map(
    ([status, response]): [string, Map<string, unknown>] => {
      const examples = Object.entries((mediaOf(document, response)?.examples ?? {}) as Json);
      return [status, new Map(examples.map(([name, example]) => [name, resolve(document, example).value]))];
    },
  );
  return {
    operationId: String(operation.operationId),
    answers: new Map(answers),
    choices: body === undefined ? [] : choicesOf(document, body.schema, []),
  };
}

/** Paths of the fields with an enum, at any depth, but not in lists. */
function choicesOf(document: Json, schema: unknown, path: readonly string[]): string[][] {
  const { enum: values, properties } = resolve(document, schema);
  if (values !== undefined) return [[...path]];
  return Object.entries((properties ?? {}) as Json).flatMap(([name, property]) =>
    choicesOf(document, property, [...path, name]),
  );
}

function mediaOf(document: Json, holder: unknown): Json | undefined {
  if (holder === undefined) return undefined;
  return (resolve(document, holder).content as Record<string, Json> | undefined)?.['application/json'];
}

function resolve(document: Json, node: unknown): Json {
  const { $ref } = node as { $ref?: string };
  if ($ref === undefined) return node as Json;
  const parts = $ref.slice(2).split('/');
  return parts.reduce<unknown>((part, name) => (part as Json)[name], document) as Json;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
