export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The entries of an object, none of anything else. */
export function entriesOf(value: unknown): [string, Node][] {
  return isNode(value) ? (Object.entries(value) as [string, Node][]) : [];
}

/** A bundled document that follows its own references, all of which are local. */
export class Document {
  readonly root: Node;

  constructor(root: Node) {
    this.root = root;
  }

  /** What a node stands for, with what it says beside its reference; an empty object for none, and for `true`. */
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

  /** Whether a schema takes nothing: `false`, or `not: {}`. */
  takesNothing(schema: unknown): boolean {
    const { not } = this.follow(schema);
    return not === true || (isNode(not) && Object.keys(not).length === 0);
  }

  /**
   * The node with every reference in it replaced, as text; what repeats itself ends at its name. `key` is what the node
   * stands under, where that says how to read it.
   */
  written(node: unknown, key = ''): string {
    return JSON.stringify(this.#unfold(node, key, [])) ?? 'nothing';
  }

  #unfold(node: unknown, under: string, within: readonly string[]): unknown {
    if (Array.isArray(node)) {
      // A list among the values of an enum is in order.
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
    const told = Object.entries(node)
      .filter(([key]) => isValue || areNames || !TEXTS.includes(key))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const next = (key: string) => (isValue ? under : areNames ? '' : key);
    return Object.fromEntries(told.map(([key, value]) => [key, this.#unfold(value, next(key), within)]));
  }
}

/** What `false` means, as an object. */
const NEVER: Node = { not: {} };

/** Lists of which the order says nothing. */
const SETS = ['type', 'enum', 'required', 'allOf', 'anyOf', 'oneOf'];

function inOrder(items: readonly unknown[]): unknown[] {
  const texts = items.map((item) => JSON.stringify(item)).sort();
  return texts.map((text) => JSON.parse(text));
}

/** Told to people only. */
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

/** Below these stand names that the contract gives, not keywords. */
const NAMED = [
  'properties',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  '$defs',
  'mapping',
];

/** The values of these are schemas: `true` means `{}` and `false` means `{not: {}}`. The empty key is any in NAMED. */
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

/** Below these stand values as they are. */
const VALUES = ['default', 'const', 'enum'];

/** Whether a node is a name alone: a reference, and nothing beside it that a program reads. */
export function isBareReference(node: unknown): node is Node & { $ref: string } {
  if (!isNode(node) || typeof node.$ref !== 'string') return false;
  return Object.keys(node).every((key) => key === '$ref' || TEXTS.includes(key));
}
