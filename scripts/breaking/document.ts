export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of an object; empty for any other value. */
export function entriesOf(value: unknown): [string, Node][] {
  return isNode(value) ? (Object.entries(value) as [string, Node][]) : [];
}

/** A bundled document, in which all references are local. */
export class Document {
  readonly root: Node;

  constructor(root: Node) {
    this.root = root;
  }

  /**
   * Resolves a node's reference and merges the keywords beside it. Returns an empty object for `true` and for no node.
   */
  follow(node: unknown): Node {
    if (!isNode(node)) return node === false ? NEVER : {};
    if (typeof node.$ref !== 'string') return node;
    const { $ref: _, ...beside } = node;
    let target: unknown = this.root;
    for (const part of node.$ref.slice(2).split('/')) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isNode(target) ? target[key] : undefined;
    }
    return { ...this.follow(target), ...beside };
  }

  /** Whether a schema accepts no value: `false`, or `not: {}`. */
  takesNothing(schema: unknown): boolean {
    const { not } = this.follow(schema);
    return not === true || (isNode(not) && Object.keys(not).length === 0);
  }

  /**
   * The node as text with every reference replaced; a recursive reference stays. `key` is the keyword that holds the
   * node, which decides how it is read.
   */
  written(node: unknown, key = ''): string {
    return JSON.stringify(this.#unfold(node, key, [])) ?? 'nothing';
  }

  #unfold(node: unknown, under: string, within: readonly string[]): unknown {
    if (Array.isArray(node)) {
      // The order of a list that is a value of an enum counts.
      const place = under === 'enum' ? 'const' : under;
      const items = node.map((item) => this.#unfold(item, place, within));
      return SETS.includes(under) ? inOrder(items) : items;
    }
    if (typeof node === 'boolean' && SCHEMAS.includes(under)) return this.follow(node);
    if (!isNode(node)) return node;
    const isValue = VALUES.includes(under);
    const areNames = NAMED.includes(under);
    if (typeof node.$ref === 'string' && !isValue && !areNames) {
      if (within.includes(node.$ref)) return node.$ref;
      return this.#unfold(this.follow(node), under, [...within, node.$ref]);
    }
    const compared = Object.entries(node)
      .filter(([key]) => isValue || areNames || !TEXTS.includes(key))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const next = (key: string) => (isValue ? under : areNames ? '' : key);
    return Object.fromEntries(compared.map(([key, value]) => [key, this.#unfold(value, next(key), within)]));
  }
}

/** The schema `false` as an object. */
const NEVER: Node = { not: {} };

/** Lists whose order does not count. */
const SETS = ['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'];

function inOrder(items: readonly unknown[]): unknown[] {
  const texts = items.map((item) => JSON.stringify(item)).sort();
  return texts.map((text) => JSON.parse(text));
}

/** Keywords for people only, which are not compared. */
const TEXTS = [
  'description',
  'title',
  'summary',
  'example',
  'examples',
  '$comment',
  'x-pattern-message',
  'bearerFormat',
];

/** Keywords whose members are names of the contract, not keywords. */
const NAMED = [
  'properties',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  '$defs',
  'mapping',
];

/**
 * Keywords whose values are schemas: `true` means `{}` and `false` means `{not: {}}`. The empty key is a member of
 * NAMED.
 */
const SCHEMAS = [
  '',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];

/** Keywords whose values are data. */
const VALUES = ['default', 'const', 'enum'];

/** Whether a node is only a reference, apart from texts beside it. */
export function isBareReference(node: unknown): node is Node & { $ref: string } {
  if (!isNode(node) || typeof node.$ref !== 'string') return false;
  return Object.keys(node).every((key) => key === '$ref' || TEXTS.includes(key));
}
