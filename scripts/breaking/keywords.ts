import { isNode, type Node } from './document.ts';

/** The types that a schema names; none where it takes every type. */
export function typesOf({ type }: Node): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** Whether what is of `type` is of one of the types of `whole`: every integer is a number. */
export function covers(whole: readonly string[], type: string): boolean {
  return whole.includes(type) || (type === 'integer' && whole.includes('number'));
}

/** The values that a schema lists, null where it lists none. `const` is an enum of one. */
export function valuesOf(schema: Node): unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const] : null;
}

/** Names of the fields that must be there. */
export function requiredOf(schema: Node): string[] {
  return Array.isArray(schema.required) ? (schema.required as string[]) : [];
}

/** The schema of a parameter or header: its own, or that of the one media type that it is written in. */
export function schemaOf({ schema, content }: Node): unknown {
  const [media] = isNode(content) ? Object.values(content) : [];
  return schema ?? (isNode(media) ? media.schema : undefined);
}

/** Whether a schema takes only what its parts know of: it takes less when it loses one. */
export function isClosedByParts({ unevaluatedProperties, unevaluatedItems }: Node): boolean {
  return [unevaluatedProperties, unevaluatedItems].some((rest) => rest !== undefined && rest !== true);
}
