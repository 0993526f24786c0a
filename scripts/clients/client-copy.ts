import type { Json } from './json.ts';
import { mergeUnions } from './merge-unions.ts';
import { openAnswers } from './open-answers.ts';

/** Keywords that say which values are allowed together, and nothing about what a value looks like. */
const VALIDATION_ONLY = [
  'if',
  'then',
  'else',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
];

/** Where `make start` listens. Clients need a full address, not only a path. */
const SANDBOX = {
  url: 'http://127.0.0.1:3000/api/v1',
  description: 'The sandbox that `make start` runs on your machine.',
};

/** Members whose children are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'enum', 'const', 'required']);

/** Members whose keys are names of the contract, not keywords. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'parameters',
  'headers',
  'responses',
]);

/**
 * Returns the document in the form that client generators read best, `/openapi-clients.json`. The given document is not
 * changed.
 *
 * Generators turn conditions into nullable references, and a webhook into a second API class that replaces the class of
 * the operations with the same tag. So webhooks, conditions and the server's own extensions are left out, unions
 * without a discriminator are merged, and schemas of answers allow unknown fields. A default moves into the
 * description: openapi-typescript makes a field with a `default` required, and other generators always send it, so that
 * the service could no longer choose. Every named schema stays: the body of an event is `Event`.
 */
export function clientCopy(document: Json): Json {
  const { webhooks: _, jsonSchemaDialect: _dialect, ...kept } = structuredClone(document);
  if (isObject(kept.components)) kept.components.schemas = openAnswers(document);
  // Generators repeat the description at the head of every file.
  if (isObject(kept.info)) kept.info.description = kept.info.summary;
  kept.servers = [SANDBOX];
  const copy = withoutValidation(kept) as { components: { schemas: Record<string, Json> } };
  copy.components.schemas = mergeUnions(copy.components.schemas);
  return { ...copy };
}

function withoutValidation(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutValidation);
  if (!isObject(node)) return node;
  const described = withDefaultInWords(node);
  const entries = Object.entries(described).filter(
    ([keyword, value]) => !isForServersOnly(keyword, value, node),
  );
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (NAMED.has(keyword) && isObject(value)) return [keyword, namedParts(value)];
      return [keyword, withoutValidation(value)];
    }),
  );
}

function namedParts(parts: Json): Json {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, withoutValidation(part)]));
}

/** `{default: 20}` becomes `{description: 'Default: 20.'}`, after an existing description. */
function withDefaultInWords(schema: Json): Json {
  if (!Object.hasOwn(schema, 'default')) return schema;
  const { default: value, ...rest } = schema;
  const sentences = [rest.description, `Default: ${JSON.stringify(value)}.`];
  return { ...rest, description: sentences.filter((sentence) => sentence !== undefined).join(' ') };
}

function isForServersOnly(keyword: string, value: unknown, schema: Json): boolean {
  if (VALIDATION_ONLY.includes(keyword) || keyword.startsWith('x-')) return true;
  if (keyword === 'oneOf' || keyword === 'anyOf') {
    return Array.isArray(value) && (value.every(isRequirement) || value.every(isPlainValue));
  }
  // Most languages have no type for a boolean with one value.
  if (keyword === 'const') return typeof value === 'boolean' && schema.type === 'boolean';
  // Generated clients would apply the pattern of a timestamp to a date object.
  return keyword === 'pattern' && typeof schema.format === 'string' && schema.format.startsWith('date');
}

/** Whether a branch is only `{required: […]}`, which has no type. */
function isRequirement(branch: unknown): boolean {
  return isObject(branch) && Object.keys(branch).every((keyword) => keyword === 'required');
}

/**
 * Whether a branch is a number or a text. Generators write a class for a union of these, which is harder to use than
 * any value.
 */
function isPlainValue(branch: unknown): boolean {
  return isObject(branch) && (branch.type === 'integer' || branch.type === 'string');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
