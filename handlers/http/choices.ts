/** Fields of which some are needed: each entry is a set of fields that would do. */
export type Choice = readonly (readonly string[])[];

/** Stands beside the `required` of a choice, so that its violation can name every field that would do. */
const CHOICE = 'x-choice';

type Schema = { readonly [key: string]: unknown };

/** A copy of a contract that says of each choice what it is: `if` one field is there, `else` another is required. */
export function withNamedChoices<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(withNamedChoices) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withNamedChoices(value)]),
  );
  const first = asksForPresence(copy.if) ? requiredOf(copy.if) : undefined;
  const second = requiredOf(copy.else);
  if (first === undefined || second === undefined) return copy as Node;
  // Copied: openapi-backend puts a reference in place of an array that it meets twice.
  const choice: Choice = [[...first], [...second]];
  return { ...copy, else: { ...(copy.else as Schema), [CHOICE]: choice } } as Node;
}

/** The choice to which the `required` of a schema belongs, or undefined. */
export function choiceOf(schema: unknown): Choice | undefined {
  return (schema as { [CHOICE]?: Choice } | undefined)?.[CHOICE];
}

/** Whether a schema asks that fields are there, and nothing of their values. */
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
