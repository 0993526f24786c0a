import { isNode, type Node } from './document.ts';

/** The types that a schema names; empty when it accepts every type. */
export function typesOf({ type }: Node): string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** Whether `whole` includes `type`. Every integer is a number. */
export function covers(whole: readonly string[], type: string): boolean {
  return whole.includes(type) || (type === 'integer' && whole.includes('number'));
}

/** The values that a schema lists; null when it lists none. `const` is an enum of one. */
export function valuesOf(schema: Node): unknown[] | null {
  if (Array.isArray(schema.enum)) return schema.enum;
  return Object.hasOwn(schema, 'const') ? [schema.const] : null;
}

/** Names of the required fields. */
export function requiredOf(schema: Node): string[] {
  return Array.isArray(schema.required) ? (schema.required as string[]) : [];
}

/** The schema of a parameter or header, which may be below its media type. */
export function schemaOf({ schema, content }: Node): unknown {
  const [media] = isNode(content) ? Object.values(content) : [];
  return schema ?? (isNode(media) ? media.schema : undefined);
}

/** Whether a schema accepts only what its parts list, so that removing a part refuses more. */
export function isClosedByParts({ unevaluatedProperties, unevaluatedItems }: Node): boolean {
  return [unevaluatedProperties, unevaluatedItems].some((rest) => rest !== undefined && rest !== true);
}
