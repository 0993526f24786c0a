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

  /** What a node stands for, with what it says beside its reference; an empty object for none. */
  follow(node: unknown): Node {
    if (!isNode(node)) return {};
    if (typeof node.$ref !== 'string') return node;
    const { $ref: _, ...beside } = node;
    let target: unknown = this.root;
    for (const part of node.$ref.slice(2).split('/')) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      target = isNode(target) ? target[key] : undefined;
    }
    return { ...this.follow(target), ...beside };
  }

  /** The node with every reference in it replaced, as text; what repeats itself ends at its name. */
  written(node: unknown, within: readonly string[] = []): string {
    return JSON.stringify(this.#unfold(node, within)) ?? 'nothing';
  }

  #unfold(node: unknown, within: readonly string[]): unknown {
    if (Array.isArray(node)) return node.map((item) => this.#unfold(item, within));
    if (!isNode(node)) return node;
    if (typeof node.$ref === 'string') {
      if (within.includes(node.$ref)) return node.$ref;
      return this.#unfold(this.follow(node), [...within, node.$ref]);
    }
    const told = Object.entries(node)
      .filter(([key, value]) => !isText(key, value))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(told.map(([key, value]) => [key, this.#unfold(value, within)]));
  }
}

/** Told to people only. A field may have such a name too, but then a schema stands there. */
const TEXTS = ['description', 'title', 'summary', 'example', '$comment', 'x-pattern-message'];

/** Whether a node is a name alone: a reference, and nothing beside it that a program reads. */
export function isBareReference(node: unknown): node is Node & { $ref: string } {
  if (!isNode(node) || typeof node.$ref !== 'string') return false;
  return Object.entries(node).every(([key, value]) => key === '$ref' || isText(key, value));
}

function isText(key: string, value: unknown): boolean {
  return key === 'examples' || (TEXTS.includes(key) && !isNode(value));
}
