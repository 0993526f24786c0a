import type { Json } from './json.ts';

interface Branch {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/**
 * Merges each named union of objects without a discriminator into one object with the fields of all branches. Generated
 * clients read such a union badly: in Java every branch fits, in Go none does as soon as a field is new, and Rust takes
 * the first that fits. Fields that every branch requires stay required. A field that has different names of values in
 * two branches, such as the status of a payment and that of a subscription, becomes a text. Throws when two branches
 * give one field different types.
 */
export function mergeUnions(schemas: Readonly<Record<string, Json>>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const branches = untaggedBranches(schema, schemas);
      return [name, branches === null ? schema : merged(name, schema, branches, schemas)];
    }),
  );
}

/** The branches of a `oneOf` of objects without discriminator; null for any other schema. */
function untaggedBranches(schema: Json, schemas: Readonly<Record<string, Json>>): Branch[] | null {
  if (!Array.isArray(schema.oneOf) || schema.discriminator !== undefined) return null;
  const targets = schema.oneOf.map(({ $ref }) => schemas[String($ref).replace('#/components/schemas/', '')]);
  const isObjects = targets.every((target) => target?.type === 'object' && target.properties !== undefined);
  return isObjects ? (targets as unknown as Branch[]) : null;
}

function merged(
  name: string,
  { description }: Json,
  branches: readonly Branch[],
  schemas: Readonly<Record<string, Json>>,
): Json {
  const properties: Record<string, unknown> = {};
  for (const [field, type] of branches.flatMap((branch) => Object.entries(branch.properties))) {
    const before = properties[field];
    if (before === undefined || withoutText(before) === withoutText(type)) properties[field] ??= type;
    else if (isText(before, schemas) && isText(type, schemas)) properties[field] = TEXT;
    else
      throw new Error(`${name} is a union in which ${field} has two types. A client cannot tell them apart.`);
  }
  const [first, ...rest] = branches.map(({ required = [] }) => required);
  const required = first!.filter((field) => rest.every((other) => other.includes(field)));
  return { type: 'object', description, properties, ...(required.length > 0 && { required }) };
}

const TEXT = { type: 'string', description: 'Its values depend on the kind of the object.' };

/** Whether a type is a text, or a named list of texts. */
function isText(type: unknown, schemas: Readonly<Record<string, Json>>): boolean {
  const { $ref, type: kind } = type as Json;
  const target = $ref === undefined ? kind : schemas[String($ref).replace('#/components/schemas/', '')]?.type;
  return target === 'string';
}

function withoutText(type: unknown): string {
  return JSON.stringify(type, (key, value) => (key === 'description' ? undefined : value));
}
