/** Alternative sets of fields, one of which is required. */
export type Choice = readonly (readonly string[])[];

/** Keyword next to the `required` or the `not` of a choice, with all its sets, so that a violation can name them. */
const CHOICE = 'x-choice';

type Schema = { readonly [key: string]: unknown };

/**
 * Copies a contract and marks its choices. The contract writes a choice as a condition: `if` the first field is
 * present, anything is valid or the second field is forbidden, `else` the second field is required.
 */
export function withNamedChoices<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withNamedChoices) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNamedChoices(value)]),
  );
  const first = asksForPresence(copy.if) ? requiredOf(copy.if) : undefined;
  const second = requiredOf(copy.else);
  if (first === undefined || second === undefined) return copy as Node;
  const branches: [string, unknown][] = [
    ['then', withNamedConflicts(copy.then, first, second)],
    ['else', { ...(copy.else as Schema), [CHOICE]: choiceBetween(first, second) }],
  ];
  return { ...copy, ...Object.fromEntries(branches.filter(([, branch]) => branch !== undefined)) } as Node;
}

/** A copy each time, because openapi-backend replaces a repeated array by a reference. */
function choiceBetween(first: readonly string[], second: readonly string[]): Choice {
  return [[...first], [...second]];
}

/** Marks the fields that must be absent because the first choice is present. */
function withNamedConflicts(node: unknown, first: readonly string[], second: readonly string[]): unknown {
  if (node === undefined) return undefined;
  const { properties = {}, ...rest } = node as { readonly properties?: Schema };
  const marked = Object.entries(properties).map(([name, schema]) => [
    name,
    forbids(schema) ? { ...(schema as Schema), [CHOICE]: choiceBetween(first, second) } : schema,
  ]);
  return { ...rest, properties: Object.fromEntries(marked) };
}

/** `not: {}`: the field must be absent. */
export function forbids(schema: unknown): boolean {
  return JSON.stringify((schema as Schema | undefined)?.not) === '{}';
}

/** Returns the choice to which the `required` or the `not` of a schema belongs. */
export function choiceOf(schema: unknown): Choice | undefined {
  return (schema as { [CHOICE]?: Choice } | undefined)?.[CHOICE];
}

/** Whether a schema requires fields and says nothing about their values. */
function asksForPresence(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { required: _, properties = {}, ...rest } = schema as Schema;
  const isAny = (value: unknown) => value === true || JSON.stringify(value) === '{}';
  return Object.values(properties as object).every(isAny) && Object.keys(rest).length === 0;
}

function requiredOf(schema: unknown): readonly string[] | undefined {
  const { required } = (schema ?? {}) as { required?: unknown };
  return Array.isArray(required) && required.length > 0 ? required : undefined;
}
