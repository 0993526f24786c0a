import { type Document, isNode, type Node } from './document.ts';
import { typesOf, valuesOf } from './keywords.ts';

/** A schema without its null, which may be written as `[string, 'null']`, `anyOf: [X, null]` or `enum: [x, null]`. */
export interface Plain {
  /** As in the document, before a reference is resolved. */
  readonly written: unknown;
  readonly schema: Node;
  readonly isNullable: boolean;
  /** Whether a null was removed. If not, the comparison of types, values and branches finds a difference in nulls. */
  readonly hadNull: boolean;
}

export function withoutNull(document: Document, written: unknown): Plain {
  const schema = document.follow(written);
  const isNullable = takesNull(document, schema);
  const without = withoutNullType(schema) ?? withoutNullValue(schema);
  if (without !== null) return { written, schema: without, isNullable, hadNull: true };
  for (const key of ['anyOf', 'oneOf'] as const) {
    const union = Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [];
    const others = union.filter((branch) => !isNode(branch) || branch.type !== 'null');
    if (others.length === union.length || others.length === 0) continue;
    if (others.length > 1)
      return { written, schema: { ...schema, [key]: others }, isNullable, hadNull: true };
    const { [key]: _, ...beside } = schema;
    const [other] = others;
    const one = isNode(other) ? { ...other, ...beside } : beside;
    return { written: one, schema: document.follow(one), isNullable, hadNull: true };
  }
  return { written, schema, isNullable, hadNull: false };
}

function withoutNullType(schema: Node): Node | null {
  const types = typesOf(schema);
  const others = types.filter((type) => type !== 'null');
  if (others.length === types.length || others.length === 0) return null;
  return { ...(withoutNullValue(schema) ?? schema), type: others };
}

function withoutNullValue(schema: Node): Node | null {
  if (!Array.isArray(schema.enum)) return null;
  const others = schema.enum.filter((value) => value !== null);
  return others.length === schema.enum.length || others.length === 0 ? null : { ...schema, enum: others };
}

/** Whether a schema accepts null, judged by types, values and branches. */
function takesNull(document: Document, written: unknown): boolean {
  if (document.takesNothing(written)) return false;
  const schema = document.follow(written);
  const [types, values] = [typesOf(schema), valuesOf(schema)];
  const fits = (branch: unknown) => takesNull(document, branch);
  return (
    (types.length === 0 || types.includes('null')) &&
    (values === null || values.includes(null)) &&
    (!Array.isArray(schema.anyOf) || schema.anyOf.some(fits)) &&
    (!Array.isArray(schema.oneOf) || schema.oneOf.filter(fits).length === 1) &&
    (!Array.isArray(schema.allOf) || schema.allOf.every(fits))
  );
}
