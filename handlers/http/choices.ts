/** Alternative sets of fields, one of which is required. */
export type Choice = readonly (readonly string[])[];

/** Keyword next to the `required` of a choice, with all its sets, so that a violation can name them. */
const CHOICE = 'x-choice';

type Schema = { readonly [key: string]: unknown };

/**
 * Copies a contract and marks its choices. The contract writes a choice as a condition: `if` the first field is
 * present, anything is valid, `else` the second field is required.
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
  // Copied, because openapi-backend replaces a repeated array by a reference.
  const choice: Choice = [[...first], [...second]];
  return { ...copy, else: { ...(copy.else as Schema), [CHOICE]: choice } } as Node;
}

/** Returns the choice to which the `required` of a schema belongs. */
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
