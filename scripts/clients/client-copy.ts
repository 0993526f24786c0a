import { mergeUnions } from './merge-unions.ts';
import { openAnswers } from './open-answers.ts';

/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

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

/** Where `make start` listens: a path alone is no address that a client could ask. */
const SANDBOX = {
  url: 'http://127.0.0.1:3000/api/v1',
  description: 'The sandbox that `make start` runs on your machine.',
};

/** Members whose children are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const', 'required']);

/** Members whose keys are names that the contract gave, not keywords. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'schemas',
  'parameters',
  'headers',
]);

/**
 * The document as client generators want it. They make nullable references of conditions, and a second API class, over
 * the first one, of a webhook whose tag an operation has too; so webhooks, conditions and the server's own extensions
 * are left out, unions without a tag are merged, and what answers hold is open. Every named schema stays: the body of an
 * event is `Event`. The given document is not changed.
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
  const entries = Object.entries(node).filter(([keyword, value]) => !isForServersOnly(keyword, value, node));
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (NAMED.has(keyword) && isObject(value)) return [keyword, namedParts(value)];
      return [keyword, withoutValidation(value)];
    }),
  );
}

/** A property that is only allowed (`true`) or forbidden (`false`) names no type: its type stands elsewhere, or nowhere. */
function namedParts(parts: Json): Json {
  const described = Object.entries(parts).filter(([, schema]) => typeof schema !== 'boolean');
  return Object.fromEntries(described.map(([name, schema]) => [name, withoutValidation(schema)]));
}

function isForServersOnly(keyword: string, value: unknown, schema: Json): boolean {
  if (VALIDATION_ONLY.includes(keyword) || keyword.startsWith('x-')) return true;
  if (keyword === 'oneOf' || keyword === 'anyOf') return Array.isArray(value) && value.every(isRequirement);
  // Generators hold the pattern of a moment against their language's date, which is no text.
  return keyword === 'pattern' && typeof schema.format === 'string' && schema.format.startsWith('date');
}

/** `{required: […]}` says that something must be there, not what it is. */
function isRequirement(branch: unknown): boolean {
  return isObject(branch) && Object.keys(branch).every((keyword) => keyword === 'required');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
