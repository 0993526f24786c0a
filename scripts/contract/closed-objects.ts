type Json = Record<string, unknown>;

const SCHEMA_MAP_KEYWORDS = ['properties', 'patternProperties', '$defs'];
const SCHEMA_LIST_KEYWORDS = ['anyOf', 'oneOf', 'prefixItems'];
const SCHEMA_KEYWORDS = ['items', 'additionalProperties'];

/**
 * Returns a copy of a bundled document in which objects allow only listed fields. The published contract leaves answers
 * open, so that clients accept the fields of later versions; a check of this version must not. An object stays open
 * when its schema says so (`additionalProperties`, as in metadata) or lists no fields. Conditions are not changed, as
 * they list only some of the fields. Only named schemas are changed, as every body is one.
 */
export function withClosedObjects<Document extends object>(document: Document): Document {
  const { components } = document as { components: { schemas: Json } };
  const schemas = mapValues(components.schemas, closed);
  return { ...document, components: { ...components, schemas } };
}

function closed(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const copy = { ...schema };
  for (const keyword of SCHEMA_MAP_KEYWORDS) {
    if (isObject(copy[keyword])) copy[keyword] = mapValues(copy[keyword], closed);
  }
  for (const keyword of SCHEMA_LIST_KEYWORDS) {
    if (Array.isArray(copy[keyword])) copy[keyword] = copy[keyword].map(closed);
  }
  for (const keyword of SCHEMA_KEYWORDS) {
    if (isObject(copy[keyword])) copy[keyword] = closed(copy[keyword]);
  }
  const isOpen = copy.additionalProperties === undefined && copy.unevaluatedProperties === undefined;
  return isListed(copy) && isOpen ? { ...copy, additionalProperties: false } : copy;
}

/** Whether a schema allows an object and lists fields. */
function isListed({ type, properties }: Json): boolean {
  return [type].flat().includes('object') && isObject(properties);
}

function mapValues(object: Json, change: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
